// Curves over the iterations, drawn by uPlot in the colours of the page.
const COLOURS = ["--accent", "--second", "--third"];
let plots = [];
const DASHES = [[], [7, 4], [2, 4]];

function colour(name) {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

// Each figure has two lines: the accepted suite, and points of attempts that were not accepted.
function seriesOf(chart, accepted) {
  const data = [];
  const series = [];
  chart.series.forEach(({ name, values }, n) => {
    const stroke = colour(COLOURS[n]);
    const kept = chart.all ? accepted.map(() => true) : accepted;
    const points = { show: true, size: 8, width: 1.5 };
    const last = kept.lastIndexOf(true);
    const value = (self, raw, place, at) => tell(chart, values[at ?? last], kept[at ?? last]);
    const line = { label: name, stroke, width: 2, dash: DASHES[n], spanGaps: true, value };
    series.push({ ...line, points: { ...points, fill: stroke } });
    data.push(values.map((each, i) => (kept[i] ? each : null)));
    series.push({ class: "attempts", stroke, width: 0, points: { ...points, fill: colour("--card") } });
    data.push(values.map((each, i) => (kept[i] ? null : each)));
  });
  return { data, series };
}

function tell(chart, value, kept) {
  if (value == null) return "not measured";
  const figure = value.toLocaleString("en", { maximumFractionDigits: 1 });
  return `${figure}${chart.unit && ` ${chart.unit}`}${kept ? "" : ", not accepted"}`;
}

function rangeOf(chart) {
  const most = chart.unit === "%" ? 100 : chart.most;
  return (self, low, high) => [0, most || Math.max(1, (high ?? 1) * 1.12)];
}

function describe(chart, facts) {
  const told = chart.series.map(({ name, values }) => {
    const kept = values.filter((value, i) => facts.accepted[i] && value != null);
    return `${name} from ${kept[0]} to ${kept[kept.length - 1]}${chart.unit && ` ${chart.unit}`}`;
  });
  return `${chart.title} over ${facts.iterations.length} iterations: ${told.join(", ")}`;
}

function draw(chart, facts, box) {
  const { data, series } = seriesOf(chart, facts.accepted);
  const text = colour("--muted");
  const grid = { stroke: colour("--line"), width: 1 };
  const font = "12px system-ui, sans-serif";
  const axis = { stroke: text, font, grid, ticks: { show: false } };
  const named = (label) => ({ label, labelFont: font, labelSize: 18, labelGap: 0 });
  const whole = (self, values) => values.map((value) => (Number.isInteger(value) ? value : ""));
  const short = (self, values) => values.map((value) => (value >= 1e4 ? `${value / 1000}k` : value.toLocaleString("en")) + (chart.unit && ` ${chart.unit}`));
  return new uPlot({
    width: box.clientWidth,
    height: 206,
    cursor: { sync: { key: "iterations" }, y: false, drag: { x: false, y: false } },
    scales: { x: { time: false, range: (self, low, high) => [low - 0.15, high + 0.15] }, y: { range: rangeOf(chart) } },
    axes: [
      { ...axis, ...named("iteration"), size: 26, grid: { show: false }, values: whole, incrs: [1, 2, 5, 10, 20, 50, 100] },
      { ...axis, ...named(chart.axis), size: 50, values: short },
    ],
    series: [{ label: "iteration", value: (self, at) => at ?? "last" }, ...series],
    legend: { live: true, markers: { width: 2, dash: (self, n) => ["solid", "dashed", "dotted"][(n - 1) >> 1] } },
  }, [facts.iterations, ...data], box);
}

function drawCurves() {
  const place = document.getElementById("curves");
  const facts = place && JSON.parse(document.getElementById("curves-data").textContent);
  if (!facts) return;
  for (const { plot, watcher } of plots) {
    watcher.disconnect();
    plot.destroy();
  }
  plots = [];
  place.replaceChildren();
  for (const chart of facts.charts) {
    const figure = document.createElement("figure");
    const title = document.createElement("figcaption");
    const box = document.createElement("div");
    title.textContent = chart.title;
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", describe(chart, facts));
    figure.append(title, box);
    place.append(figure);
    const plot = draw(chart, facts, box);
    const watcher = new ResizeObserver(() => {
      if (box.clientWidth) plot.setSize({ width: box.clientWidth, height: 206 });
    });
    watcher.observe(box);
    plots.push({ plot, watcher });
  }
}
