// The surviving mutants by file: filters.
function readMutant(element) {
  const file = element.parentElement;
  const path = file.firstElementChild.firstElementChild.textContent;
  const ids = [...element.querySelectorAll(".rid")].map((id) => id.textContent);
  const text = `${path}\n${element.textContent}`.toLowerCase();
  const kind = element.querySelector(".pill") ? "likely equivalent" : "to be noticed";
  return { text, file, ids, kind };
}

function fitsMutant(row, { mreq, mkind }) {
  return (!mreq || (mreq === "no requirement" ? !row.ids.length : row.ids.includes(mreq)))
    && (!mkind || row.kind === mkind);
}

function makeMutants() {
  const form = document.getElementById("mutant-filters");
  if (!form) return null;
  const show = partsOf([...document.querySelectorAll("#mutated > details")]);
  return new List(form, [...document.querySelectorAll(".m")], {
    read: readMutant,
    fits: fitsMutant,
    shown: (fitting, values, asked) => show(fitting, asked),
  });
}
