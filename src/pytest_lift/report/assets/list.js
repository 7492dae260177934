// A long list under a form: which rows fit what is chosen, computed at once, shown at the next frame.
const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const whenIdle = window.requestIdleCallback || ((job) => setTimeout(job, 1));

class List {
  // `read` makes a row of an element, with the `text` that is searched; `fits` says whether it
  // fits what else is chosen; `shown` is told what does, and says how many
  // of them it lets see.
  constructor(form, elements, { read, fits, shown }) {
    Object.assign(this, { form, elements, read, fits, shown, rows: [], waiting: false });
    this.fields = [...form.querySelectorAll("[data-key]")];
    this.search = form.querySelector("input");
    this.count = form.querySelector(".count");
    form.addEventListener("input", () => this.soon());
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => this.changed()));
    whenIdle(() => this.prepare());
  }

  // All rows, or some more of them.
  index(most = Infinity) {
    const { rows, elements } = this;
    for (const element of elements.slice(rows.length, rows.length + most)) {
      rows.push({ element, ...this.read(element) });
    }
    return rows;
  }

  prepare() {
    if (this.index(200).length < this.elements.length) whenIdle(() => this.prepare());
  }

  get values() {
    return Object.fromEntries(this.fields.map((field) => [field.dataset.key, field.value]));
  }

  set values(values) {
    for (const field of this.fields) field.value = values[field.dataset.key] ?? "";
  }

  get asked() {
    return this.fields.some((field) => field.value && field.id !== "f-order");
  }

  clear() {
    this.form.reset();
  }

  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.changed();
    });
  }

  changed() {
    this.apply();
    rememberState();
  }

  apply() {
    const rows = this.index();
    const values = this.values;
    const query = words(this.search.value);
    const fits = (row) => this.fits(row, values) && query.every((word) => row.text.includes(word));
    const fitting = this.asked ? rows.filter(fits) : rows;
    const kept = new Set(fitting);
    for (const row of rows) {
      const hidden = !kept.has(row);
      if (row.element.hidden !== hidden) row.element.hidden = hidden;
    }
    this.tell(fitting.length, this.shown(fitting, values, this.asked));
  }

  tell(fitting, visible) {
    const [all, found, seen] = [this.elements.length, fitting, visible].map((n) => n.toLocaleString("en"));
    if (visible < fitting) this.count.textContent = this.asked ? `first ${seen} of ${found} found, of ${all}, shown` : `first ${seen} of ${all} shown`;
    else this.count.textContent = this.asked ? `${found} of ${all} shown` : `all ${all} shown`;
  }
}

// The parts of a list, one per file: told which rows fit, each that has some is shown, says how
// many, and is open where there are few.
const MOST_OPEN = 300;

function partsOf(files) {
  const opened = new Map(files.map((file) => [file, file.open]));

  function show(file, count, asked, all) {
    if (file.hidden !== !count) file.hidden = !count;
    const open = asked ? all <= MOST_OPEN : opened.get(file);
    if (count && file.open !== open && (asked || file.dataset.asked)) file.open = open;
    if (asked) file.dataset.asked = "yes";
    else delete file.dataset.asked;
    const told = file.querySelector(".of");
    told.dataset.text ??= told.textContent;
    const text = asked && count !== Number(told.dataset.n) ? `${count} of ${told.dataset.text}` : told.dataset.text;
    if (told.textContent !== text) told.textContent = text;
  }

  return (fitting, asked) => {
    const counts = new Map();
    for (const row of fitting) counts.set(row.file, (counts.get(row.file) ?? 0) + 1);
    for (const file of files) show(file, counts.get(file) ?? 0, asked, fitting.length);
    return fitting.length;
  };
}
