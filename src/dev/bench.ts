// Measures what is promised, side by side in one run, prints the table and writes dist/bench.json. Times differ from
// machine to machine; the figures that count are ratios and differences within this run. Names of rows on the command
// line (`bench.ts B11`) choose among them.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { startUp, validateSmall } from "./bench/b1-start.ts";
import { listHundred } from "./bench/b2-list.ts";
import { coldCall, coldCallLarge } from "./bench/b3-call.ts";
import { warmCall, warmFlood } from "./bench/b4-warm.ts";
import { jsonlCall } from "./bench/b5-jsonl.ts";
import { hashLarge } from "./bench/b6-hash.ts";
import { sealOfPackages } from "./bench/b7-seal.ts";
import { publishThousand } from "./bench/b8-publish.ts";
import { searchRatio, searchTime } from "./bench/b9-search.ts";
import { interpreter } from "./bench/b11-interpreter.ts";
import { memoryOfCalls, memoryOfFlood } from "./bench/b12-memory.ts";
import { listBytes } from "./bench/b13-bytes.ts";
import type { BenchRow, Measured, Spread } from "./bench/row.ts";

const rows: readonly BenchRow[] = [
  startUp,
  listHundred,
  validateSmall,
  coldCall,
  coldCallLarge,
  warmCall,
  warmFlood,
  jsonlCall,
  hashLarge,
  sealOfPackages,
  publishThousand,
  searchRatio,
  searchTime,
  interpreter,
  memoryOfCalls,
  memoryOfFlood,
  listBytes,
];

/** A row with what came out. */
interface Line extends Measured {
  readonly id: string;
  readonly what: string;
  readonly against: string;
  readonly ok: boolean;
}

const wanted = process.argv.slice(2);
const lines: Line[] = [];
for (const { id, what, against, measure } of rows) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  const measured = await measure();
  const line = { id, what, against, ...measured, ok: measured.figure <= measured.limit };
  lines.push(line);
  print(line);
}
mkdirSync("dist", { recursive: true });
const machine = { runtime: `bun ${Bun.version}`, cores: cpus().length, cpu: cpus()[0]?.model ?? "unknown" };
writeFileSync(
  "dist/bench.json",
  `${JSON.stringify({ at: new Date().toISOString(), machine, rows: lines }, null, 2)}\n`,
);
const missed = lines.filter(({ ok }) => !ok);
for (const { id, figure, limit, unit } of missed)
  console.error(`missed: ${id} is ${round(figure)} ${unit}, and may be ${limit}`);
process.exit(missed.length === 0 ? 0 : 1);

function print({ id, what, against, own, other, figure, limit, unit, measuredIn = "ms", ok }: Line): void {
  console.log(`${id.padEnd(4)} ${ok ? "✓" : "✗"} ${round(figure)} ${unit} (may be ${limit})`);
  console.log(`       ${what}: ${tell(own, measuredIn)}`);
  console.log(`       ${against}: ${tell(other, measuredIn)}`);
}

function tell({ median, low, high, runs }: Spread, unit: string): string {
  if (runs === 1) return `${round(median)} ${unit}`;
  return `${round(median)} ${unit} median of ${runs}, ${round(low)}–${round(high)} ${unit} for the middle four fifths`;
}

function round(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}
