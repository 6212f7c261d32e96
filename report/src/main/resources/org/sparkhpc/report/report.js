(function () {
  const colours = ["#0072b2", "#009e73", "#d55e00", "#e69f00"];
  const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  const element = document.getElementById("hpc-memory");
  new uPlot({
    width: Math.min(1100, element.clientWidth || 1100),
    height: 280,
    scales: { x: { time: false } },
    axes: [{ label: "seconds since the start" }, { label: "GB" }],
    series: [{ label: "seconds" }].concat(hpcMemory.names.map(function (name, i) {
      return { label: name, stroke: colours[i], dash: dashes[i], width: 2 };
    })),
  }, [hpcMemory.time].concat(hpcMemory.values), element);
})();
