// Tables that sort by a click on a column's head and filter by a word, and pages that hold
// all of them when printed.  Everything can be read without it.
"use strict";

function cellText(row, column) {
  return row.cells[column] ? row.cells[column].textContent.trim() : "";
}

// What is no number comes after all numbers, what is missing last.
function compareCells(a, b) {
  const x = parseFloat(a), y = parseFloat(b);
  if ((a === "") !== (b === "")) return a === "" ? 1 : -1;
  if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
  return isNaN(x) ? a.localeCompare(b) : x - y;
}

function sortTable(table, column) {
  const head = table.tHead.rows[0].cells[column];
  const down = head.getAttribute("aria-sort") === "ascending";
  const rows = Array.from(table.tBodies[0].rows);
  rows.sort((p, q) => {
    const a = cellText(p, column), b = cellText(q, column), order = compareCells(a, b);
    return a === "" || b === "" || !down ? order : -order;
  });
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  rows.forEach(row => table.tBodies[0].appendChild(row));
}

function filterTable(table, text) {
  const words = text.toLowerCase().split(/\s+/).filter(word => word !== "");
  for (const row of table.tBodies[0].rows) {
    const line = row.textContent.toLowerCase();
    row.hidden = !words.every(word => line.includes(word));
  }
}

function addFilter(table) {
  const field = document.createElement("input");
  field.type = "search";
  field.className = "filter";
  field.placeholder = "only rows with \u2026";
  field.setAttribute("aria-label", "Only rows with these words");
  field.addEventListener("input", () => filterTable(table, field.value));
  table.parentNode.parentNode.insertBefore(field, table.parentNode);
}

function enliven(table) {
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    head.tabIndex = 0;
    head.addEventListener("click", () => sortTable(table, column));
    head.addEventListener("keydown", event => {
      if (event.key === "Enter") sortTable(table, column);
    });
  });
  if (table.tBodies[0].rows.length > 8) addFilter(table);
}
document.querySelectorAll("table").forEach(enliven);

// What stands in the page packed by zlib, as base64.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

// A browser that can't unpack shows the file that the page came with, as without scripts.
async function showPicture(image) {
  try {
    const svg = await (await unpack(image.dataset.packed)).arrayBuffer();
    image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    await image.decode();
  } catch (fault) {
    image.outerHTML = image.nextElementSibling.textContent;
  }
}

// All of them at once, when the words can be read: they are there when a figure is unfolded, and on
// paper.
const pictures = Promise.all(Array.from(document.querySelectorAll("img[data-packed]"), showPicture));

// Of a section's parts: all are opened, or folded when they are open.
function addOpener(heading) {
  const button = document.createElement("button"), parts = [];
  for (let at = heading.nextElementSibling; at && at.tagName !== "H2"; at = at.nextElementSibling)
    if (at.tagName === "DETAILS") parts.push(at);
  const label = () => {
    button.textContent = parts.every(part => part.open) ? "Fold all" : "Open all";
  };
  button.className = "all";
  button.addEventListener("click", () => {
    const open = !parts.every(part => part.open);
    parts.forEach(part => { part.open = open; });
  });
  parts.forEach(part => part.addEventListener("toggle", label));
  label();
  if (parts.length > 1) heading.append(button);
}
document.querySelectorAll("#figures, #tables").forEach(addOpener);

// A link into what is folded unfolds it.
function unfold() {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  for (let at = target; at !== null; at = at.parentElement)
    if (at.tagName === "DETAILS") at.open = true;
  if (target !== null) target.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
unfold();

// On paper all is unfolded, and a table that is wider than the page is made smaller.  Letters
// are 0.7 times as large there, and a page is 690 px wide.
const paperWidth = 690 / 0.7;
let folded = [];
window.addEventListener("beforeprint", () => {
  folded = Array.from(document.querySelectorAll("details:not([open]):not(.long)"));
  folded.forEach(part => { part.open = true; });
  for (const table of document.querySelectorAll("table"))
    if (table.scrollWidth > paperWidth) table.style.zoom = paperWidth / table.scrollWidth;
});
window.addEventListener("afterprint", () => {
  folded.forEach(part => { part.open = false; });
  for (const table of document.querySelectorAll("table")) table.style.zoom = "";
});
