'use strict';
(() => {
	const root = document.documentElement;
	const all = (selector, from = document) => [...from.querySelectorAll(selector)];
	const one = (selector, from = document) => from.querySelector(selector);

	// Views: one is shown, named by the fragment of the address. "#k2-0x48" is an instruction of kernel 2.
	const views = all('.view');
	let view = views[0];
	const selected = new Map(); // row by view

	// unpack fills a view that is packed. Its content is that of this file.
	const unpacked = new Map(); // promises by view
	function unpack(each) {
		const id = each.dataset.packed;
		delete each.dataset.packed;
		if (id) unpacked.set(each, jacquard.inflated(id).then(bytes => {
			each.innerHTML = new TextDecoder().decode(bytes);
			enterable(each);
		}));
		return unpacked.get(each);
	}

	// enterable gives the table of code its one stop for the tab key.
	function enterable(each) {
		const row = one('tr[data-pc]', each);
		if (row) row.tabIndex = 0;
	}

	function show(next) {
		view.classList.remove('current');
		view = next;
		view.classList.add('current');
		for (const link of all('nav.side a')) {
			if (link.hash === '#' + view.id) link.setAttribute('aria-current', 'page');
			else link.removeAttribute('aria-current');
		}
		document.title = view.dataset.title;
		const player = one('.player', view), entry = one('svg.flow .block', view);
		if (player) player.focus({preventScroll: true});
		else if (entry && !selected.has(view)) center(entry);
	}

	// route shows what the address names, when it is unpacked.
	async function route(move) {
		const id = decodeURIComponent(location.hash.slice(1));
		await unpack(document.getElementById(id.split('-')[0])?.closest('.view') || views[0]);
		if (id !== decodeURIComponent(location.hash.slice(1))) return; // it has changed meanwhile
		const target = document.getElementById(id);
		const next = target && target.closest('.view') || views[0];
		const same = next === view;
		show(next);
		if (target && target.matches('tr[data-pc]')) select(target, true);
		else if (!same || move) scrollTo(0, 0);
	}

	function go(by) {
		const at = views.indexOf(view) + by;
		if (views[at]) location.hash = views[at].id;
	}

	// Instructions.
	const rows = () => all('tr[data-pc]', view);

	function select(row, reveal) {
		const before = selected.get(view) || one('tr[data-pc]', view); // the one stop of the table
		before.removeAttribute('aria-current');
		before.tabIndex = -1;
		selected.set(view, row);
		row.setAttribute('aria-current', 'true');
		row.tabIndex = 0;
		if (reveal) {
			row.focus({preventScroll: true});
			row.scrollIntoView({block: 'nearest'});
		}
		describe(row);
		for (const block of all('svg.flow .block', view)) {
			const inside = +block.dataset.first <= +row.dataset.n && +row.dataset.n < +block.dataset.last;
			if (!inside) block.removeAttribute('aria-current');
			else {
				block.setAttribute('aria-current', 'true');
				if (reveal) center(block);
			}
		}
	}

	// fit shows the whole picture, or as much of it as can be read.
	function fit(button) {
		const fitted = one('.canvas', button.closest('.graph')).classList.toggle('fitted');
		button.setAttribute('aria-pressed', fitted);
		const block = one('svg.flow .block[aria-current]', view) || one('svg.flow .block', view);
		if (!fitted && block) center(block);
	}

	// center scrolls the picture, not the page, to a block.
	function center(block) {
		const canvas = block.closest('.canvas');
		const at = block.getBoundingClientRect(), frame = canvas.getBoundingClientRect();
		if (at.top < frame.top || at.bottom > frame.bottom) canvas.scrollTop += at.top - frame.top - (frame.height - at.height) / 2;
		if (at.left < frame.left || at.right > frame.right) canvas.scrollLeft += at.left - frame.left - (frame.width - at.width) / 2;
	}

	function step(by) {
		const list = rows();
		if (!list.length) return;
		const at = list.indexOf(selected.get(view));
		const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), list.length - 1);
		select(list[to], true);
	}

	function hottest(first) {
		const of = {issues: 'issues', lanes: 'lanes', memory: 'cost'}[root.dataset.heat];
		const list = rows().filter(row => +row.dataset.issues > 0);
		const value = row => of === 'lanes' ? -row.dataset.lanes : +(row.dataset[of] || 0);
		list.sort((a, b) => value(b) - value(a));
		const at = list.indexOf(selected.get(view));
		if (list.length) select(list[first || at < 0 ? 0 : (at + 1) % list.length], true);
	}

	// The panel shows what the row of the table says, with the heads of the columns, and what is too much
	// for a row.
	function describe(row) {
		const panel = one('.detail', view);
		if (!panel) return;
		const heads = all('thead th', row.closest('table'));
		one('.ins', panel).textContent = row.dataset.pc + '  ' + one('.ins', row).textContent.trim();
		const list = one('.facts', panel);
		list.replaceChildren();
		const fact = (name, value) => {
			const dt = document.createElement('dt'), dd = document.createElement('dd');
			dt.textContent = name;
			dd.textContent = value;
			list.append(dt, dd);
		};
		[...row.cells].forEach((cell, i) => {
			const name = heads[i].dataset.name;
			if (name && cell.textContent.trim()) fact(name, cell.textContent.trim());
		});
		for (const line of (row.dataset.more || '').split('\n')) {
			const cut = line.indexOf(': ');
			if (cut > 0) fact(line.slice(0, cut), line.slice(cut + 2));
		}
		histogram(one('svg', panel), row.dataset.histogram);
	}

	const ns = 'http://www.w3.org/2000/svg';
	function histogram(svg, text) {
		svg.replaceChildren();
		svg.parentElement.hidden = !text;
		if (!text) return;
		const counts = text.split(' ').map(entry => entry.split(':').map(Number));
		const most = Math.max(...counts.map(entry => entry[1]));
		const make = (name, attributes, content) => {
			const e = document.createElementNS(ns, name);
			for (const key in attributes) e.setAttribute(key, attributes[key]);
			if (content !== undefined) e.textContent = content;
			svg.append(e);
			return e;
		};
		svg.setAttribute('viewBox', '0 0 346 74');
		svg.setAttribute('aria-label', 'Issues of this instruction by active lanes: ' + counts.map(entry => entry[1] + ' with ' + entry[0]).join(', '));
		make('path', {class: 'axis', d: 'M4 56.5h338'});
		for (const [lanes, issues] of counts) {
			const height = Math.max(issues / most * 50, 1.5);
			const bar = make('rect', {class: 'bar', x: 5 + lanes * 10.2, y: 56 - height, width: 8.6, height});
			const title = document.createElementNS(ns, 'title');
			title.textContent = issues + ' issues with ' + lanes + ' active lanes';
			bar.append(title);
		}
		for (const lanes of [0, 8, 16, 24, 32]) make('text', {x: 9.3 + lanes * 10.2, y: 70, 'text-anchor': 'middle'}, lanes);
	}

	// Choices, kept for the next visit where the browser allows it.
	const store = {
		get(key) { try { return localStorage.getItem('jacquard-' + key); } catch { return null; } },
		set(key, value) { try { localStorage.setItem('jacquard-' + key, value); } catch { /* a page from a file may not be allowed to */ } },
	};

	function heat(name) {
		root.dataset.heat = name;
		for (const input of all('input[name^=heat]')) input.checked = input.value === name;
		store.set('heat', name);
	}

	const dark = matchMedia('(prefers-color-scheme: dark)');
	function theme(name) {
		if (name) root.dataset.theme = name;
		else delete root.dataset.theme;
		const now = name || (dark.matches ? 'dark' : 'light');
		one('#theme').textContent = now === 'dark' ? 'Light' : 'Dark';
		one('#theme').setAttribute('aria-label', 'Switch to ' + (now === 'dark' ? 'light' : 'dark') + ' colours');
	}
	function toggleTheme() {
		const now = root.dataset.theme || (dark.matches ? 'dark' : 'light');
		const next = now === 'dark' ? 'light' : 'dark';
		theme(next);
		store.set('theme', next);
	}
	dark.addEventListener('change', () => theme(root.dataset.theme));

	const help = one('#help');
	function toggleHelp() {
		if (help.open) help.close();
		else help.showModal();
	}

	async function printAll() {
		await Promise.all(views.map(unpack));
		root.classList.add('print-all');
		print();
		root.classList.remove('print-all');
	}

	// Tables with sortable columns: the heads are buttons.
	function sort(button) {
		const head = button.closest('th'), table = head.closest('table'), body = table.tBodies[0];
		const column = head.cellIndex;
		const down = head.getAttribute('aria-sort') !== 'descending';
		for (const other of all('th[aria-sort]', table)) other.removeAttribute('aria-sort');
		head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
		const value = row => {
			const cell = row.cells[column], text = cell.textContent.trim();
			return cell.dataset.value !== undefined ? +cell.dataset.value : text === '' || isNaN(text.replaceAll(',', '')) ? text : +text.replaceAll(',', '');
		};
		const sorted = [...body.rows].map(row => [value(row), row]);
		sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
		body.append(...sorted.map(([, row]) => row));
	}

	const keys = {
		j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
		PageDown: () => step(25), PageUp: () => step(-25), Home: () => step(-1e9), End: () => step(1e9),
		h: () => hottest(false), H: () => hottest(true),
		n: () => go(1), p: () => go(-1), o: () => { location.hash = views[0].id; },
		i: () => heat('issues'), l: () => heat('lanes'), m: () => heat('memory'),
		t: toggleTheme, P: printAll, '?': toggleHelp,
	};
	const inTable = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']);

	document.addEventListener('keydown', event => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input[type=text], select, textarea')) return;
		if (event.target.closest('.player, .lane-map')) return; // they have keys of their own
		const block = event.target.closest('.kernel svg.flow .block');
		if (block && (event.key === 'Enter' || event.key === ' ')) {
			event.preventDefault();
			enter(block);
			return;
		}
		const row = event.target.closest('tr[data-pc]');
		if (row && event.key === 'Enter') {
			const target = one('.ins a', row);
			if (target) location.hash = target.hash;
			return;
		}
		const act = keys[event.key];
		if (!act || help.open && event.key !== '?' || inTable.has(event.key) && !row) return;
		event.preventDefault();
		act();
	});

	// enter selects the first instruction of a block.
	function enter(block) {
		const row = document.getElementById(block.dataset.row);
		if (row) select(row, true);
	}

	document.addEventListener('click', event => {
		const block = event.target.closest('.kernel svg.flow .block');
		if (block) return enter(block);
		const button = event.target.closest('th button');
		if (button) return sort(button);
		const fits = event.target.closest('button.fit');
		if (fits) return fit(fits);
		const row = event.target.closest('tr[data-pc]');
		if (row && !event.target.closest('a')) select(row, false);
	});
	document.addEventListener('change', event => {
		if (event.target.matches('input[name^=heat]')) heat(event.target.value);
	});
	one('#theme').addEventListener('click', toggleTheme);
	one('#ask').addEventListener('click', toggleHelp);
	one('#print').addEventListener('click', printAll);
	addEventListener('hashchange', () => route(true));

	theme(store.get('theme'));
	heat({issues: 1, lanes: 1, memory: 1}[store.get('heat')] ? store.get('heat') : 'issues');
	views.forEach(enterable);
	jacquard.unpack = id => unpack(document.getElementById(id)); // for the timeline
	route(false);
})();
