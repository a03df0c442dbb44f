import { spawn } from "node:child_process";
import { realClock } from "../../src/host/clock.ts";
import { realProcesses } from "../../src/host/processes.ts";
import { openMcp } from "../../src/wire/mcp.ts";
import { createSchemaChecker } from "../../src/wire/schema-check.ts";
const q=()=>{}; const log = { level: "debug", debug: q, info: q, warn: q } as const;
function go(p: string){ const c = spawn(import.meta.dirname+`/../plugins/${p}/bin/${p}-mcp`, [], { env: { PATH: "/usr/bin:/bin" }, detached: true, stdio: "pipe" });
return { pid: c.pid!, stdin: c.stdin, stdout: c.stdout, stderr: c.stderr,
  exited: new Promise<any>(r => c.once("exit", (code, signal) => r({ code, signal }))),
  terminate() { try { process.kill(-c.pid!, "SIGTERM") } catch {} }, end() { try { process.kill(-c.pid!, "SIGKILL") } catch {} } };}
for (const p of ["crash-start","exit-code","killed","missing-module","chatty-start","hello","bad-bytes","closes-stdin","forks"]) {
  try { const s = await openMcp({ clock: realClock, log }, go(p), { plugin: p, version: "1", connectTimeoutMs: 1000 }); await s.describe();
    console.log(p, JSON.stringify(await s.call(p === "bad-bytes" ? "nul" : p === "forks" ? "leave" : "hello", {name:"x"}, {timeoutMs: 2000}))); await s.close(); }
  catch (e: any) { console.log(p, e.code, e.info?.details?.cause, JSON.stringify(e.info?.details?.exit)); }
}
const args = "Deno" in globalThis ? ["run","-A"] : [];
const checker = createSchemaChecker(realClock, { deadlineMs: 1000, startChild: () => realProcesses.spawn({ file: process.execPath, args: [...args, import.meta.dirname + "/schema-child-main.ts"], env: { HOME: process.env.HOME ?? "/" , PATH: "/usr/bin:/bin"}, cwd: import.meta.dirname, stdio: ["pipe","pipe","ignore"] }) });
console.log(JSON.stringify(await checker.check("a", { uniqueItems: true }, [1,1])));
console.log(JSON.stringify(await checker.check("a", { items: { pattern: "^(\\w+\\s?)*$" } }, Array(50).fill("a".repeat(60)+"!"))));
console.log(JSON.stringify(await checker.check("a", { uniqueItems: true }, [1,2])));
await checker.close();
