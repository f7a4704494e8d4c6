import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { getRegisteredDomains } from "@/server/core/domain";
import { collectProcessMetrics, metricsRegistry } from "@/server/core/metrics";
import "@/server/domains";
import { METRIC_DESCRIPTIONS } from "@/server/metrics-server";
import "@/server/transports/pages/pages-process";

const guide = readFileSync("docs/operating.md", "utf8");
const partTexts = JSON.parse(readFileSync("messages/en/health.json", "utf8")).rows as Record<string, string>;

it("docs/operating.md explains every part of the health page", () => {
  const headings = guide.split("\n").filter((line) => line.startsWith("### "));
  const partNames = [
    ...Object.keys(partTexts),
    ...getRegisteredDomains().flatMap((each) => Object.keys(each.checks ?? {})),
    ...["jobs", "mail", "media", "redis"],
  ];
  expect(partNames.filter((name) => !headings.some((line) => line.includes(`\`${name}\``)))).toEqual([]);
});

it("dashboard and alarms use existing metrics only", async () => {
  collectProcessMetrics();
  const knownMetrics = new Set(Object.keys(METRIC_DESCRIPTIONS).map((name) => `tellal_${name}`));
  for (const { name, type } of await metricsRegistry.getMetricsAsJSON()) {
    knownMetrics.add(name);
    // prom-client declares `type` as a number, but it is a string.
    if (String(type) === "histogram")
      for (const part of ["bucket", "count", "sum"]) knownMetrics.add(`${name}_${part}`);
  }
  const { panels } = JSON.parse(readFileSync("deploy/grafana.json", "utf8")) as {
    panels: Array<{ title: string; targets?: Array<{ expr: string }> }>;
  };
  const usedMetrics = panels.flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:tellal|process|nodejs)_\w+/g)].map(([name]) => ({ title, name })),
    ),
  );
  expect(usedMetrics.length).toBeGreaterThan(panels.length / 2);
  expect(usedMetrics.filter(({ name }) => !knownMetrics.has(name))).toEqual([]);
  const documentedMetrics = [...guide.matchAll(/`((?:tellal|nodejs)_\w+)/g)].map(([, name]) => name!);
  expect(documentedMetrics.filter((name) => !knownMetrics.has(name))).toEqual([]);
});
