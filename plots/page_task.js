// A click on a row, or Enter, shows the runs behind it (data-tasks): one run with the picture of
// its plan, the commands that repeat it and what its search did; of several runs first the list.
// Of a kernel's run there are times instead of a plan, of a network that ran also what it took.
// What is known of them stands in the page as JSON, packed (harness/report/page_runs.h).

// --- reading ---

let known = null;

// The rows of a table as objects, by the names of its columns; numbers of tasks are differences.
function objects(table) {
  const columns = Object.entries(table);
  let task = 0;
  return columns[0][1].map((first, i) => {
    const row = Object.fromEntries(columns.map(([name, values]) => [name, values[i]]));
    if (row.task !== undefined) row.task = task += row.task;
    return row;
  });
}

// The same of a table of rows.
function objectsOfRows(table) {
  return table.rows.map(row => Object.fromEntries(table.columns.map((name, i) => [name, row[i]])));
}

function byTask(rows) {
  const found = new Map();
  for (const row of rows) {
    if (!found.has(row.task)) found.set(row.task, []);
    found.get(row.task).push(row);
  }
  return found;
}

// All of it, read at the first click.
async function readRuns() {
  if (known !== null) return known;
  const data = await (await unpack(document.getElementById("runs").textContent)).json();
  const workloads = objects(data.workload), planners = objects(data.planner);
  const instances = objectsOfRows(data.instance);
  known = { results: data.results, most: data.most, run: new Map(),
            event: byTask(objects(data.event)), statistic: byTask(objects(data.statistic)) };
  for (const run of objects(data.run)) {
    run.label = String(workloads[run.workload].label);
    run.instance = instances[workloads[run.workload].instance];
    run.name = String(planners[run.planner].name);
    run.spec = String(planners[run.planner].spec || run.name);
    run.native = run.label.includes("align=native");
    known.run.set(run.task, run);
  }
  for (const run of objects(data.kernel)) {
    run.label = run.layer === run.shape ? run.shape : `${run.layer}, ${run.shape}`;
    known.run.set(run.task, { ...run, kernel: true });
  }
  for (const run of objects(data.execution))
    known.run.set(run.task, { ...run, execution: true });
  return known;
}

// Numbers of five bits a letter, lowest first; the sixth says that more follow.
function* numbers(text) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let value = 0, scale = 1;
  for (const letter of text) {
    const bits = letters.indexOf(letter);
    value += (bits & 31) * scale;
    scale *= 32;
    if (bits < 32) {
      yield value;
      value = 0;
      scale = 1;
    }
  }
}

// The offsets of a plan (harness/report/page_runs.h) of buffers with these heights.
function offsetsOf(plan, height) {
  const list = numbers(plan), next = () => list.next().value;
  const unit = next(), code = [], offset = [];
  for (const k of height.keys()) {
    code.push(next());
    if (code[k] < 2) offset[k] = code[k] === 1 ? next() * unit : 0;
  }
  const find = k => {
    if (offset[k] === undefined) {
      const away = Math.round(code[k] / 3), other = code[k] % 3 === 1 ? k + away : k - away;
      offset[k] = find(other) + (code[k] % 3 === 0 ? 0 : height[other]);
    }
    return offset[k];
  };
  return height.map((_, k) => find(k));
}

// The rectangles of a plan: of which buffer, steps and bytes.
function rectangles(pieces, plan) {
  const shape = numbers(pieces), next = list => list.next().value;
  const unit = next(shape), found = [], height = [];
  let begin = 0, buffer = -1, more = 0;
  for (let value = next(shape); value !== undefined; value = next(shape)) {
    const length = next(shape), bytes = next(shape) * unit, first = next(shape) * unit;
    begin += value % 2 === 1 ? -(value - 1) / 2 : value / 2;
    if (!more) height[++buffer] = 0;
    more = length % 2;
    height[buffer] = Math.max(height[buffer], first + bytes);
    found.push({ buffer, begin, end: begin + Math.floor(length / 2), low: first,
                 high: first + bytes });
  }
  const offset = offsetsOf(plan, height);
  return found.map(r => ({ ...r, low: r.low + offset[r.buffer], high: r.high + offset[r.buffer] }));
}

// --- words ---

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name !== undefined) made.className = name;
  return made;
}

function bytes(value) {
  if (value === null) return "";
  const units = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]];
  const unit = units.find(([, size]) => value >= 4 * size);
  const whole = value.toLocaleString("en") + " bytes";
  return unit ? whole + ` (${(value / unit[1]).toPrecision(4)} ${unit[0]})` : whole;
}

function gapOf(run) {
  const { best, bound } = run.instance;
  if (run.peak === null || run.native || run.layout !== null || !(bound > 0)) return null;
  return { percent: 100 * (run.peak / bound - 1), proven: best === bound };
}

function gapText(run) {
  const gap = gapOf(run);
  if (gap === null) return "";
  if (run.peak === run.instance.bound) return "0: the optimum";
  return gap.percent.toFixed(2) + (gap.proven ? " % above the optimum" : " % above the best bound");
}

function shellWord(word) {
  return /^[A-Za-z0-9_@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

function command(words) {
  return ["arenabench", ...words].map(word => shellWord(String(word))).join(" ");
}

function solveCommand(run) {
  const words = ["solve", run.label, "--solver", run.spec, "--seed", run.seed, "--time-limit",
                 run.limit_s];
  if (run.memory_mib !== null) words.push("--memory-limit", run.memory_mib);
  if (run.work !== null) words.push("--work-limit", run.work);
  return command([...words, "--output", "plan.csv"]);
}

function convCommand(run) {
  return command(["conv", run.shape, "--kernel", run.name + (run.params ? `:${run.params}` : ""),
                  "--isa", run.isa, "--threads", run.threads]);
}

function runCommand(run) {
  return command(["run", run.label, "--solver", run.spec, "--kernels", run.kernels,
                  "--isa", run.isa, "--threads", run.threads, "--seed", run.seed,
                  ...(run.groups ? ["--groups"] : [])]);
}

function drawCommand(run) {
  return command(["draw", known.results, run.task, "--output", "plan.svg"]);
}

// --- one run ---

// Names and what is known; nothing of what is not.
function factList(rows) {
  const list = element("dl");
  for (const [name, value] of rows)
    if (value !== "" && value !== null) list.append(element("dt", name), element("dd", value));
  return list;
}

function facts(run) {
  const limits = [run.limit_s > 0 ? run.limit_s + " s" : "no time",
                  run.memory_mib !== null ? run.memory_mib + " MiB" : "",
                  run.work !== null ? run.work + " steps of work" : ""];
  return factList([
    ["planner", run.name], ["workload", run.label], ["buffers", run.instance.n],
    ["seed", run.seed + (run.repetition > 1 ? `, repetition ${run.repetition}` : "")],
    ["outcome", run.outcome + (run.reason !== null ? `: ${run.reason}` : "")],
    ["layout", run.layout || ""], ["peak", bytes(run.peak)], ["load", bytes(run.instance.load)],
    ["bound proven", bytes(run.bound)],
    ["best bound", run.native ? "" : bytes(run.instance.bound)],
    ["gap", run.native ? "not told: its sizes are rounded as the planner does" : gapText(run)],
    ["time", run.time_s === null ? "" : `${Number((1000 * run.time_s).toPrecision(4))} ms`],
    ["limits", limits.filter(text => text !== "").join(", ")], ["experiments", run.experiments]]);
}

const tints = ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#0072B2", "#F0E442"];

function shape(tag, values) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
  return made;
}

// Steps to the right, bytes upwards, the load as a broken line.
function picture(run, shown) {
  const first = Math.min(...shown.map(r => r.begin)), last = Math.max(...shown.map(r => r.end));
  const top = Math.max(run.peak, run.instance.load, 1), part = element("div");
  const x = step => 1000 * (step - first) / Math.max(last - first, 1);
  const y = at => 1000 * (1 - at / top);
  const svg = shape("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", role: "img",
                             "aria-label": `the plan: ${shown.length} rectangles` });
  for (const r of shown) {
    const tint = tints[r.buffer % tints.length];
    const rect = shape("rect", { x: x(r.begin), y: y(r.high), width: x(r.end) - x(r.begin),
                                 height: y(r.low) - y(r.high), fill: tint, stroke: tint });
    const title = shape("title", {});
    title.textContent = `buffer ${r.buffer + 1} of ${run.instance.n}: `
      + `steps ${r.begin} to ${r.end}, ${(r.high - r.low).toLocaleString("en")} bytes at ${r.low.toLocaleString("en")}`;
    rect.append(title);
    svg.append(rect);
  }
  for (const [at, dash] of [[run.peak, ""], [run.instance.load, "6 5"]])
    svg.append(shape("line", { x1: 0, x2: 1000, y1: y(at), y2: y(at), "stroke-dasharray": dash }));
  const axis = element("div", undefined, "axis");
  axis.append(element("span", `step ${first}`), element("span", `step ${last}`));
  const scale = element("div", undefined, "axis");
  scale.append(element("span", `address 0 (bottom) to ${bytes(top)}`),
               element("span", "line: peak; broken line: load"));
  part.append(scale, svg, axis);
  return part;
}

// The picture, or why it is not there and how to get it.
function pictured(run) {
  const instance = run.instance, part = element("div");
  if (run.peak === null) return element("p", "There is no plan.", "missing");
  if (run.plan !== null && instance.pieces !== null)
    return picture(run, rectangles(instance.pieces, instance.plans[run.plan]));
  if (instance.left_out !== null)
    return element("p", `Picture left out: ${instance.left_out}.`, "missing");
  const why = run.outcome === "invalid" ? "the plan is refused"
    : instance.n > known.most
      ? `${instance.n} buffers, and the page holds plans of up to ${known.most}`
      : "the plan is not stored";
  part.append(element("p", `Picture left out: ${why}; draw it with`, "missing"),
              element("pre", drawCommand(run)));
  return part;
}

// What the search did: its plans and bounds in the order of time, and what it counted.
function log(run) {
  const events = known.event.get(run.task) || [], counted = known.statistic.get(run.task) || [];
  const lines = events.map(event => `${(1000 * event.at_s).toFixed(3).padStart(12)} ms  `
    + (event.name === "incumbent" ? "plan of " : "lower bound ")
    + event.bytes.toLocaleString("en") + " bytes");
  if (events.length === 40) lines.splice(20, 0, "         ...  what came between is left out");
  for (const count of counted) lines.push(`${count.name}: ${count.value.toLocaleString("en")}`);
  if (run.reason !== null) lines.push(run.reason);
  return lines.length > 0 ? lines.join("\n") : "The planner said nothing on its way.";
}

function kernelFacts(run) {
  const us = seconds => `${(1e6 * seconds).toPrecision(4)} \u00b5s`;
  return factList([
    ["kernel", run.name], ["parameters", run.params], ["layer", run.label],
    ["instruction set", run.isa], ["threads", run.threads], ["role", run.role],
    ["outcome", run.outcome], ["first pass", us(run.time_s)], ["final", us(run.final_s)],
    ["its interval", `${us(run.low_s)} to ${us(run.high_s)}`], ["GFLOP/s", run.gflops],
    ["largest error", run.error], ["workspace", bytes(run.workspace)],
    ["experiments", run.experiments]]);
}

function executionFacts(run) {
  const sizeOf = size => size === null ? "" : bytes(size);
  const ms = seconds => seconds === null ? "" : `${(1e3 * seconds).toPrecision(4)} ms`;
  return factList([
    ["planner", run.name], ["network", run.label], ["kernels", run.kernels],
    ["instruction set", run.isa], ["threads", run.threads], ["outcome", run.outcome],
    ["reason", run.reason], ["time", ms(run.time_s)],
    ["its interval", run.low_s === null ? "" : `${ms(run.low_s)} to ${ms(run.high_s)}`],
    ["rounds", run.rounds], ["arena", sizeOf(run.arena_bytes)],
    ["changes of layout", sizeOf(run.scratch_bytes)],
    ["workspace", sizeOf(run.workspace_bytes)], ["most memory", sizeOf(run.resident_bytes)],
    ["copied", sizeOf(run.copied_bytes)], ["operators", run.operators],
    ["with nothing to do", run.idle], ["convolutions on the kernel", run.on_kernel],
    ["outputs", run.same_as_plain === 1 ? "as without an arena, byte for byte" : ""],
    ["experiments", run.experiments]]);
}

// What is shown of a run, and the command that repeats it.
function shownOf(run) {
  if (run.kernel) return [[kernelFacts(run)], convCommand(run)];
  if (run.execution) return [[executionFacts(run)], runCommand(run)];
  return [[facts(run), pictured(run)], solveCommand(run)];
}

function showRun(panel, run, back) {
  const tools = element("p"), [what, again] = shownOf(run);
  if (back) {
    const button = element("button", "\u2039 all runs of the row");
    button.addEventListener("click", back);
    tools.append(button);
  }
  panel.replaceChildren(
    closeButton(panel), element("h2", `Task ${run.task}: ${run.name} on ${run.label}`), tools,
    ...what, element("h3", "To repeat it"),
    element("pre", again));
  panel.scrollTop = 0;
  if (run.kernel || run.execution) return;
  if (run.peak !== null && run.instance.left_out === null)
    panel.append(element("p", "The plan of this run, and its picture with the buffers' names"),
                 element("pre", command(["plans", known.results, "--task", run.task, "--output",
                                         "plan.csv"]) + "\n" + drawCommand(run)));
  panel.append(element("h3", "What the search did"), element("pre", log(run)));
}

// --- several ---

const listed = [
  ["task", run => run.task], ["planner", run => run.name], ["workload", run => run.label],
  ["seed", run => run.seed], ["outcome", run => run.outcome],
  ["peak", run => run.peak === null ? "" : run.peak],
  ["gap %", run => gapOf(run) === null ? "" : gapOf(run).percent.toFixed(2)],
  ["time ms", run => run.time_s === null ? "" : (1000 * run.time_s).toFixed(3)]];
const listedKernels = [
  ["task", run => run.task], ["kernel", run => run.name], ["layer", run => run.label],
  ["isa", run => run.isa], ["GFLOP/s", run => run.gflops],
  ["time ms", run => (1000 * run.final_s).toFixed(4)]];
const listedExecutions = [
  ["task", run => run.task], ["planner", run => run.name], ["network", run => run.label],
  ["kernels", run => run.kernels], ["outcome", run => run.outcome],
  ["arena", run => run.arena_bytes === null ? "" : run.arena_bytes],
  ["time ms", run => run.time_s === null ? "" : (1000 * run.time_s).toFixed(3)]];
const numeric = new Set(["task", "seed", "peak", "arena", "gap %", "time ms", "GFLOP/s"]);

function listOf(runs) {
  const table = element("table"), head = element("tr"), body = element("tbody");
  const columns = runs[0].kernel ? listedKernels : runs[0].execution ? listedExecutions : listed;
  for (const [name] of columns) head.append(element("th", name, numeric.has(name) ? "n" : ""));
  table.append(element("thead"), body);
  table.tHead.append(head);
  for (const run of runs) {
    const row = element("tr", undefined, "opens");
    row.dataset.tasks = run.task;
    row.tabIndex = 0;
    for (const [name, of] of columns)
      row.append(element("td", of(run), numeric.has(name) ? "n" : ""));
    body.append(row);
  }
  return table;
}

function showList(panel, runs, title) {
  const scroll = element("div", undefined, "scroll"), table = listOf(runs), part = element("div");
  scroll.append(table);
  part.append(scroll);
  panel.replaceChildren(closeButton(panel), element("h2", `${title}: ${runs.length} runs`), part);
  enliven(table);
  panel.scrollTop = 0;
}

// --- the panel ---

function closeButton(panel) {
  const button = element("button", "Close", "close");
  button.addEventListener("click", () => panel.close());
  return button;
}

const panel = element("dialog");
panel.id = "task";
document.body.append(panel);
panel.addEventListener("click", event => { if (event.target === panel) panel.close(); });
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && panel.open) panel.close();
});

// The numbers in a holder's data-tasks, each there as its difference from the one before.
function tasksIn(holder) {
  let task = 0;
  return holder.dataset.tasks.split(" ").map(difference => task += Number(difference));
}

// The tasks of a row, or of the cell of it that was hit.
function tasksOf(row, cell) {
  const holders = cell && cell.dataset.tasks ? [cell]
    : row.dataset.tasks ? [row] : Array.from(row.querySelectorAll("[data-tasks]"));
  return Array.from(new Set(holders.flatMap(tasksIn)));
}

async function openRow(row, cell) {
  const all = await readRuns().catch(() => null);
  if (all === null) {
    panel.replaceChildren(closeButton(panel), element("p",
      "This browser is too old to unpack the runs; 'arenabench plans' lists them.", "missing"));
    panel.showModal();
    return;
  }
  const runs = tasksOf(row, cell).map(task => all.run.get(task)).filter(run => run);
  const inside = panel.contains(row), title = row.cells[0].textContent.trim();
  const above = inside ? Array.from(panel.children) : null;
  if (runs.length === 1)
    showRun(panel, runs[0], inside ? () => panel.replaceChildren(...above) : null);
  else if (runs.length > 1) showList(panel, runs, title);
  if (runs.length > 0 && !panel.open) panel.showModal();
}

for (const row of document.querySelectorAll("tbody tr"))
  if (row.dataset.tasks || row.querySelector("[data-tasks]")) {
    row.classList.add("opens");
    row.tabIndex = 0;
  }
document.addEventListener("click", event => {
  const row = event.target.closest("tr.opens");
  if (row !== null && String(getSelection()) === "") openRow(row, event.target.closest("td"));
});
document.addEventListener("keydown", event => {
  if (event.key === "Enter" && event.target.matches("tr.opens")) openRow(event.target, null);
});
