import { unknownName } from '../../contract/nearest.ts';
import type { CheckReport } from '../../contract/report.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { EvidenceRecord, RunRecord } from '../../evidence/types.ts';
import { escapeTerminal, excerpt } from '../../report/escape.ts';
import { whyOf } from '../../report/outcome.ts';
import { checkFiles, isStandardOutput } from '../files.ts';
import { judgeWhole, readJudgeOptions } from '../judge-recorded.ts';
import type { RunFlags } from '../options.ts';
import { outputFiles, readOutputs } from '../output.ts';
import { print, printError } from '../printer.ts';
import { conductRun } from '../session.ts';
import { readTarget } from '../target.ts';

const WHY_CHARACTERS = 400;

/**
 * `replay-check EVIDENCE CHECK`: drives the scenario of a check again, with the seed and the options that were recorded, and says what
 * was found then and what is found now. Returns the exit code of the run. Hosts, commands
 * and files that evidence names are not used: the command line names the host, and only that one is given a credential.
 */
export async function replayCheck(file: string, name: string, flags: RunFlags): Promise<number> {
  const outputs = outputFiles(await readOutputs(flags.reporter));
  checkFiles([{ option: 'the evidence', path: file }], outputs);
  // What machines read on standard output is theirs alone.
  const isTaken = flags.reporter !== undefined && outputs.some(({ path }) => isStandardOutput(path));
  const say = isTaken ? printError : print;
  const { report, records } = await judgeWhole(file, {});
  const run = records.find((record) => record.kind === 'run');
  const then = report.checks.filter(({ id, scenario }) => id === name || scenario === name);
  if (then.length === 0 || run === undefined) {
    const known = report.checks.flatMap(({ id, scenario }) => [id, scenario]);
    throw new UsageError(`${unknownName('recorded check', name, known)} (${file})`);
  }
  const scenario = [...new Set(then.flatMap((check) => [check.scenario, ...recordedBy(check, records)]))];
  const again: RunFlags = { ...flags, ...recordedFlags(file, run, flags), scenario };
  const wanted = new Set(then.map(({ id }) => id));
  const onReport = (checks: readonly CheckReport[]): void => {
    const now = new Map(checks.map((check) => [check.id, check]));
    for (const check of then.filter(({ id }) => wanted.has(id))) say(thenAndNow(check, now.get(check.id)));
  };
  if (run.options['command'] === 'self-test') {
    if (flags.baseUrl !== undefined) throw new UsageError('--base-url: the recorded host was that of self-test');
    const { selfTest } = await import('./self-test.ts');
    return selfTest(again, onReport);
  }
  if (flags.baseUrl === undefined) {
    throw new UsageError(`--base-url is missing: the run was recorded at ${excerpt(run.target.baseUrl, 300)}`);
  }
  return conductRun(readTarget(again), again, { onReport });
}

/** The scenario that recorded why a check failed, which may be another one than the check's own. */
function recordedBy(
  { verdict, evidence: [first] }: CheckReport,
  records: readonly EvidenceRecord[],
): readonly string[] {
  if (verdict !== 'fail') return [];
  return records.flatMap((each) => (each.kind === 'observation' && each.id === first ? [each.scenario] : []));
}

/** What the run was asked to do that decides what a scenario drives and how it is judged, at the level that is asked for now. */
function recordedFlags(file: string, run: RunRecord, flags: RunFlags): Partial<RunFlags> {
  const { seed, vectors, forks, crash, recipe, level, volatile } = readJudgeOptions(file, run, flags);
  const { sweep } = run.options;
  const swept = typeof sweep === 'number' ? { sweep } : {};
  return { seed, vectors, forks, crash, recipe, level, volatile, ...swept };
}

function thenAndNow(then: CheckReport, now: CheckReport | undefined): string {
  return `${escapeTerminal(then.id)}\n  then: ${shown(then)}\n  now:  ${now === undefined ? 'not driven' : shown(now)}\n`;
}

function shown(check: CheckReport): string {
  return check.verdict === 'pass' ? 'pass' : `${check.verdict}: ${excerpt(whyOf(check), WHY_CHARACTERS)}`;
}
