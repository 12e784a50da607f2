import { unknownName } from '../contract/nearest.ts';
import { faultsIn } from '../contract/validate.ts';
import { type Baseline, type BaselineEntry, nameOf } from './baseline.ts';

/** The names that a baseline may use. */
export interface KnownNames {
  readonly checks: readonly string[];
  readonly requirements: readonly string[];
  readonly diagnoses: readonly string[];
}

/** A baseline, or what is wrong with it: a JSON pointer and why, in one sentence. */
export type ReadBaseline =
  | { readonly ok: true; readonly baseline: Baseline }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a baseline's text. Names of checks, requirements and diagnoses that are not among `names` are answered with the nearest ones;
 * any name is taken where there are none.
 */
export function readBaseline(text: string, names?: KnownNames): ReadBaseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return wrong('', `holds no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const [fault] = faultsIn('baseline', value);
  if (fault !== undefined) return wrong(fault.pointer, fault.wrong);
  const baseline = value as Baseline;
  const problem = baseline.known
    .map((entry) => problemOfEntry(entry, baseline.known, names))
    .find((each) => each !== undefined);
  if (problem !== undefined) return { ok: false, message: problem };
  if (names === undefined) return { ok: true, baseline };
  const checks = new Set(names.checks);
  const at = baseline.decided.findIndex((id) => !checks.has(id));
  const unknown = baseline.decided[at];
  if (unknown !== undefined) return wrong(`/decided/${at}`, unknownName('check', unknown, names.checks));
  return { ok: true, baseline };
}

function problemOfEntry(
  entry: BaselineEntry,
  known: readonly BaselineEntry[],
  names: KnownNames | undefined,
): string | undefined {
  const index = known.indexOf(entry);
  const at = `/known/${index}`;
  const { check, verdict, diagnosis } = entry;
  const kind = check === undefined ? 'requirement' : 'check';
  const all = check === undefined ? names?.requirements : names?.checks;
  const name = nameOf(entry);
  if (all?.includes(name) === false) return `${at}/${kind}: ${unknownName(kind, name, all)}`;
  if (verdict === 'inconclusive' && diagnosis !== undefined) return `${at}/diagnosis: only a failure has one`;
  // Mistakes that only together explain a failure are named together.
  const unknown = diagnosis?.split('+').find((code) => names?.diagnoses.includes(code) === false);
  if (names !== undefined && unknown !== undefined) {
    return `${at}/diagnosis: ${unknownName('diagnosis', unknown, names.diagnoses)}`;
  }
  const before = known.findIndex((each) => each[kind] === name);
  return before < index ? `${at}/${kind}: ${name} stands in /known/${before} already` : undefined;
}

function wrong(pointer: string, problem: string): ReadBaseline {
  return { ok: false, message: `${pointer === '' ? 'the whole file' : pointer}: ${problem}` };
}
