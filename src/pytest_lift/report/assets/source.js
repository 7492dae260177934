// Sources of tests: colours when they are opened, and a copy in place where a requirement names them.
const TOKENS = new RegExp([
  "(?<comment>#[^\\n]*)",
  "(?<string>\\b[rbfuRBFU]{0,2}(?:\"\"\"[\\s\\S]*?(?:\"\"\"|$)|'''[\\s\\S]*?(?:'''|$)|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))",
  "(?<decorator>^[ \\t]*@[\\w.]+)",
  "(?<keyword>\\b(?:and|as|assert|async|await|break|case|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|nonlocal|not|or|pass|raise|return|try|while|with|yield|True|False|None)\\b)",
  "(?<number>\\b\\d[\\w.]*)",
].join("|").replace("\\b[rbfu", "(?<![\\w])[rbfu"), "gm");

function highlight(pre) {
  if (pre.dataset.done) return;
  pre.dataset.done = "yes";
  pre.tabIndex = 0;
  const text = pre.textContent;
  const parts = document.createDocumentFragment();
  let last = 0;
  for (const found of text.matchAll(TOKENS)) {
    const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
    const span = document.createElement("span");
    span.className = `k-${kind}`;
    span.textContent = found[0];
    parts.append(text.slice(last, found.index), span);
    last = found.index + found[0].length;
  }
  parts.append(text.slice(last));
  pre.replaceChildren(parts);
}

function showInPlace(item, button) {
  const old = item.querySelector(".inplace");
  button.setAttribute("aria-expanded", String(!old));
  if (old) return old.remove();
  const place = document.createElement("div");
  place.className = "inplace";
  for (const pre of document.querySelector(item.querySelector("a").hash).querySelectorAll("pre")) {
    const copy = pre.cloneNode(true);
    if (copy.classList.contains("py")) highlight(copy);
    place.append(copy);
  }
  if (!place.firstChild) place.textContent = "The source is not known.";
  item.append(place);
}

function addSourceButtons(requirement) {
  for (const item of requirement.querySelectorAll(".links > li:not(.ready)")) {
    item.classList.add("ready");
    if (!item.querySelector("a")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.textContent = "source";
    button.setAttribute("aria-label", `Source of ${item.querySelector("a").textContent}`);
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => showInPlace(item, button));
    item.firstElementChild.append(" ", button);
  }
}

document.addEventListener("toggle", (event) => {
  const opened = event.target;
  if (opened.parentElement.matches(".under > td")) opened.closest(".r").classList.toggle("opened", opened.open);
  if (!opened.open || !opened.matches("details")) return;
  const requirement = opened.closest(".r");
  if (requirement) addSourceButtons(requirement);
  if (!opened.matches(".file")) opened.querySelectorAll("pre.py").forEach(highlight);
}, true);
