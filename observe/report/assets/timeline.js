'use strict';
{
	const levels = 9;
	const {Cursor, inflated} = jacquard;

	// LaneMap makes a picture of the timeline one to point at and to zoom into.
	class LaneMap {
		constructor(card) {
			this.card = card;
			this.svg = card.querySelector('svg');
			this.says = card.querySelector('.cell-at');
			for (const [name, value] of Object.entries({...card.dataset, ...this.svg.dataset})) this[name] = isNaN(value) ? value : +value;
			this.columns = Math.ceil(this.end / this.rounds);
			Object.assign(this, {from: 0, to: this.columns, row: 0, column: 0});
			this.svg.tabIndex = 0;
			this.svg.setAttribute('role', 'application');
			this.svg.addEventListener('keydown', event => this.key(event));
			this.svg.addEventListener('pointerdown', event => this.press(event));
			this.svg.addEventListener('pointermove', event => this.point(event));
			addEventListener('pointerup', event => this.release(event));
			this.svg.addEventListener('focus', () => this.load().then(() => this.tell()));
		}

		// load reads the columns, once.
		load() {
			return this.loaded ||= Promise.all([inflated('timeline-' + this.map), this.kernel && jacquard.unpack(this.kernel)]).then(([bytes]) => {
				this.rows = [];
				for (const c = new Cursor(bytes); c.left;) {
					const row = [];
					for (let n = c.uvarint(); n > 0; n--) {
						const issues = c.uvarint();
						row.push(issues ? {issues, lanes: c.uvarint(), index: c.uvarint()} : undefined);
					}
					this.rows.push(row);
				}
				this.mark = this.make('rect', {class: 'mark'});
				this.range = this.make('rect', {class: 'range', visibility: 'hidden'});
			});
		}

		make(name, attributes) {
			const e = document.createElementNS('http://www.w3.org/2000/svg', name);
			this.set(e, attributes);
			this.svg.append(e);
			return e;
		}

		set(e, attributes) { for (const name in attributes) e.setAttribute(name, attributes[name]); }

		y(row) { return row * this.thick + Math.floor(row / this.warps) * this.gap; }

		x(column) { return this.left + (column - this.from) / (this.to - this.from) * this.wide; }

		// at returns the row and the column under the pointer.
		at(event) {
			const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
			let row = 0;
			while (row + 1 < this.rows.length && this.y(row + 1) <= p.y) row++;
			const share = Math.max(0, Math.min(0.999999, (p.x - this.left) / this.wide));
			return {row, column: Math.floor(this.from + share * (this.to - this.from))};
		}

		async point(event) {
			await this.load();
			const at = this.at(event);
			if (this.pressed) {
				const [from, to] = [this.pressed.column, at.column].sort((a, b) => a - b);
				this.set(this.range, {visibility: 'visible', x: this.x(from), y: 0, width: this.x(to + 1) - this.x(from), height: this.y(this.rows.length)});
			} else if (!this.pinned) {
				Object.assign(this, at);
				this.tell();
			}
		}

		async press(event) {
			await this.load();
			this.pinned = false;
			this.pressed = this.at(event);
		}

		release(event) {
			const from = this.pressed;
			if (!from) return;
			this.pressed = undefined;
			this.set(this.range, {visibility: 'hidden'});
			const at = this.at(event), [low, high] = [from.column, at.column].sort((a, b) => a - b);
			Object.assign(this, at);
			if (high - low > (this.to - this.from) / 100 + 1) this.zoom(low, high + 1);
			else this.pinned = true; // its links can be followed
			this.tell();
		}

		// zoom shows some columns.
		zoom(from, to) {
			const span = Math.max(8, Math.min(this.columns, Math.round(to - from)));
			this.from = Math.max(0, Math.min(Math.round(from), this.columns - span));
			this.to = Math.min(this.columns, this.from + span);
			this.draw();
		}

		// draw draws the columns shown, in at most 320 columns of the picture.
		draw() {
			const paths = Array.from({length: levels}, () => '');
			const span = this.to - this.from, count = Math.min(span, 320);
			this.rows.forEach((row, r) => {
				const y = this.y(r) + this.thick / 2;
				for (let c = 0, begun = 0, before = -1; c <= count; c++) {
					const level = c === count ? -1 : this.level(row, this.from + Math.floor(c * span / count), this.from + Math.max(Math.floor((c + 1) * span / count), Math.floor(c * span / count) + 1));
					if (level === before) continue;
					if (before >= 0) paths[before] += `M${(this.left + begun / count * this.wide).toFixed(1)} ${y}h${((c - begun) / count * this.wide).toFixed(1)}`;
					before = level;
					begun = c;
				}
			});
			for (const old of this.svg.querySelectorAll('path')) old.remove();
			paths.forEach((d, level) => { if (d) this.svg.prepend(this.make('path', {class: 'r' + level, 'stroke-width': this.thick - 1, d})); });
			this.svg.querySelector('.from').textContent = (this.from * this.rounds).toLocaleString('en');
			this.svg.querySelector('.to').textContent = Math.min(this.to * this.rounds, this.end).toLocaleString('en') + ' rounds';
		}

		// sum adds up some columns of a row.
		sum(row, from, to) {
			const sum = {issues: 0, lanes: 0, index: -1};
			for (let i = from; i < Math.min(to, row.length); i++) {
				if (!row[i]) continue;
				if (!sum.issues) sum.index = row[i].index;
				sum.issues += row[i].issues;
				sum.lanes += row[i].lanes;
			}
			return sum;
		}

		level(row, from, to) {
			const {issues, lanes} = this.sum(row, from, to);
			return issues ? Math.max(0, Math.min(Math.ceil(levels * lanes / issues / this.lanes), levels) - 1) : -1;
		}

		// tell says what is at the mark, with links to the code and to the player.
		tell() {
			const wide = Math.max(1, Math.round((this.to - this.from) / 320));
			const first = this.from + Math.floor((this.column - this.from) / wide) * wide, row = this.rows[this.row];
			const cell = this.sum(row, first, first + wide), block = Math.floor(this.row / this.warps), warp = this.row % this.warps;
			const from = first * this.rounds, to = Math.min((first + wide) * this.rounds, this.end) - 1, n = x => x.toLocaleString('en');
			this.set(this.mark, {x: this.x(first), y: this.y(this.row), width: this.x(first + wide) - this.x(first), height: this.thick - 1});
			this.says.textContent = `Block ${block}, warp ${warp}, round${from === to ? ' ' + n(from) : `s ${n(from)} to ${n(to)}`}: `;
			if (!cell.issues) {
				this.says.append('no issue.');
				return;
			}
			this.says.append(`${n(cell.issues)} issue${cell.issues > 1 ? 's' : ''}, ${(cell.lanes / cell.issues).toFixed(1)} lanes on average, from `);
			const line = this.kernel && document.querySelector(`#${this.kernel} tr[data-n="${cell.index}"]`);
			if (line) this.link(line.dataset.pc + ' ' + line.querySelector('.ins').textContent.trim(), line.id);
			else this.says.append('code that the page does not have');
			this.says.append(' · ');
			this.link('play', 'player').addEventListener('click', () => player.visit(this.map, block, warp, from));
		}

		link(text, id) {
			const a = document.createElement('a');
			a.href = '#' + id;
			a.textContent = text;
			this.says.append(a);
			return a;
		}

		async key(event) {
			if (event.ctrlKey || event.metaKey || event.altKey) return;
			const span = this.to - this.from, step = Math.max(1, Math.round(span / 320));
			const actions = {
				ArrowLeft: () => { this.column -= step; }, ArrowRight: () => { this.column += step; },
				ArrowUp: () => { this.row--; }, ArrowDown: () => { this.row++; },
				'+': () => this.zoom(this.column - span / 4, this.column + span / 4), '-': () => this.zoom(this.column - span, this.column + span),
				0: () => this.zoom(0, this.columns), Enter: () => this.says.querySelector('a')?.click(),
			};
			if (!actions[event.key]) return;
			event.preventDefault();
			await this.load();
			actions[event.key]();
			this.row = Math.max(0, Math.min(this.row, this.rows.length - 1));
			this.column = Math.max(0, Math.min(this.column, this.columns - 1));
			if (this.column < this.from || this.column >= this.to) this.zoom(this.column - span / 2, this.column + span / 2);
			if (event.key !== 'Enter') this.tell();
		}
	}

	for (const card of document.querySelectorAll('.timeline[data-map]')) new LaneMap(card);
}
