// The two languages of the editor: Tesla assembly, as jacquard asm takes it, and PTX.
import {StreamLanguage} from "@codemirror/language";

// tokens returns a language whose tokens are the first of the patterns that fits.
const tokens = (name, patterns, comments) => StreamLanguage.define({
  name,
  languageData: {commentTokens: comments},
  startState: () => ({comment: false}),
  token(stream, state) {
    if (state.comment) {
      if (!stream.skipTo("*/")) stream.skipToEnd();
      else {
        stream.match("*/");
        state.comment = false;
      }
      return "comment";
    }
    if (stream.match("/*")) {
      state.comment = true;
      return "comment";
    }
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    for (const [pattern, kind] of patterns) if (stream.match(pattern)) return kind;
    stream.next();
    return null;
  },
});

const number = /^0[xXfFdD][0-9a-fA-F]+|^-?\d+(\.\d+)?/;

export const assembly = tokens("assembly", [
  [/^\.(module|sampler|constant|global|words|bytes|pointer|kernel|param|bank|texture)\b/, "keyword"],
  [/^\$[a-z]+\d+[hl]?/, "variableName"],
  [/^[A-Za-z_][\w.]*:/, "labelName"],
  [/^(bra|call|ret|break|breakaddr|joinat|join|bar|exit|preret|brkpt|trap|discard)\b/, "controlKeyword"],
  [/^[sglc]\d*\[/, "propertyName"],
  [/^\b[bsuf](8|16|32|64)\b/, "typeName"],
  [number, "number"],
  [/^[A-Za-z_]\w*/, null],
], {line: "//"});

export const ptx = tokens("ptx", [
  [/^\.[suf](8|16|32|64)\b|^\.b(8|16|32|64)\b|^\.pred\b/, "typeName"],
  [/^\.(version|target|address_size|entry|func|visible|extern|weak|param|reg|shared|global|const|local|align|file|loc|maxntid|minnctapersm|tex)\b/, "keyword"],
  [/^%[A-Za-z_]\w*/, "variableName"],
  [/^[A-Za-z_$]\w*:/, "labelName"],
  [/^@!?/, "controlKeyword"],
  [/^(bra|call|ret|exit|bar|brkpt|trap|vote|membar)\b/, "controlKeyword"],
  [number, "number"],
  [/^[A-Za-z_$]\w*/, null],
], {line: "//"});
