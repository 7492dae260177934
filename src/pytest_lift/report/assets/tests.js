// The tests by file: filters and order.

function readTest(element) {
  const [outcome, name, standing, ids] = [...element.firstElementChild.children].map((part) => part.textContent);
  const doc = element.querySelector(".prose")?.textContent ?? "";
  const file = element.parentElement;
  const path = file.firstElementChild.firstElementChild.textContent;
  const text = [path, name, ids, doc].join("\n").toLowerCase();
  return { outcome, name, standing, text, file, seconds: Number(element.dataset.s) };
}

function fitsTest(row, { toutcome, standing }) {
  return (!toutcome || row.outcome === toutcome)
    && (!standing || row.standing === standing);
}

function makeTests() {
  const form = document.getElementById("test-filters");
  if (!form) return null;
  const files = [...document.querySelectorAll("#files > details")];
  const show = partsOf(files);
  let order = "";

  function shown(fitting, values, asked) {
    if (values.order !== order) sortTests(list.index(), files, order = values.order);
    return show(fitting, asked);
  }

  const list = new List(form, [...document.querySelectorAll(".t")], {
    read: readTest,
    fits: fitsTest,
    shown,
  });
  return list;
}

function sortTests(rows, files, order) {
  rows.forEach((row, place) => { row.place ??= place; });
  const compare = {
    slow: (a, b) => b.seconds - a.seconds,
    name: (a, b) => collator.compare(a.name, b.name),
  }[order] ?? ((a, b) => a.place - b.place);
  const sorted = [...rows].sort((a, b) => compare(a, b) || a.place - b.place);
  const parts = new Map();
  for (const row of sorted) {
    if (!parts.has(row.file)) parts.set(row.file, document.createDocumentFragment());
    parts.get(row.file).append(row.element);
  }
  for (const [file, part] of parts) file.append(part);
  const places = order === "slow" ? [...parts.keys()] : files;
  document.getElementById("files").append(...places);
}
