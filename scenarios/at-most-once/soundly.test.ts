import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { Recorded, Scenario } from '../../src/runner/scenario.ts';
import { toyProbe } from '../../test/mortal-toy.ts';
import { doubtRuns } from '../../test/doubt-runs.ts';
import { perCallRuns } from '../../test/per-call-runs.ts';
import { plantedRuns } from '../../test/planted-runs.ts';
import { driveOnce, type DrivenOnce } from '../../test/once-drive.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { CORRECT, cellOf, matrixOf } from '../../test/crash-cells.ts';
import { crashMatrix } from './crash-matrix.ts';
import { doubtInForks } from './doubt-in-forks.ts';
import { emptyResult } from './empty-result.ts';
import { failedCallCrash } from './failed-call-crash.ts';
import { atMostOnce } from './index.ts';
import { perCall } from './per-call.ts';
import { streamWins } from './stream-wins.ts';
import { unnamedMode } from './unnamed-mode.ts';
import { sampled } from '../../test/sampled.ts';

type Recording = readonly Recorded<Observation>[];
type Path = readonly (string | number)[];

const HOSTS: Readonly<Record<string, DrivenOnce>> = {
  'once.single-owner.reclaim': { stall: 'fenced' },
  'once.verification-strict': { mode: 'strict' },
  [unnamedMode.id]: { mode: 'strict' },
  'once.verification-warn': { mode: 'warn' },
  'once.verification-human': { mode: 'human-in-loop' },
};

/** Evidence that was written and read again. */
function reread(seen: readonly object[]): Recording {
  return (JSON.parse(JSON.stringify(seen)) as readonly object[]).map(
    (each, index) => ({ id: `o${index}`, ...each }) as unknown as Recorded<Observation>,
  );
}

async function recordedOf(scenario: Scenario): Promise<Recording> {
  if (scenario.id === 'once.every-cut') return reread(matrixOf(CORRECT.map(cellOf)));
  if (scenario.id === perCall.id) return reread(perCallRuns());
  if (scenario.id === streamWins.id) return reread(plantedRuns());
  if (scenario.id === doubtInForks.id) return reread(doubtRuns({}));
  if (scenario.id === emptyResult.id || scenario.id === failedCallCrash.id) {
    return reread(await scenario.drive(toyProbe({ cuts: 'few' }).probe, OPTIONS));
  }
  if (scenario.id.startsWith('once.verified-recovery.') && scenario !== unnamedMode)
    return reread(recoveriesOf(scenario.id));
  return reread(await driveOnce(scenario, HOSTS[scenario.id]));
}

/** A recovery in the recorded world, and one in another, as a mode asks for them. */
function recoveriesOf(id: string): readonly object[] {
  const called = 'run.started node.started started finished committed';
  const cut = { cut: 'after-ledger-commit', shown: called, callsThen: 1 };
  const refused = { ...cut, log: `${called} node.failed run.failed` };
  const parked = { stopped: 'parked', snapshot: { status: 'waiting-approval' } } as const;
  const waiting = { ...cut, log: `${called} interrupt.requested`, more: parked };
  const other = id.endsWith('strict') ? refused : id.endsWith('warn') ? cut : waiting;
  const more = {
    nonce: 'n-1',
    askedAfter: 1,
    askedInReplay: 1,
    warned: 1,
    answered: 200,
    afterNo: 'failed',
    exchanges: [],
  };
  return [
    { type: 'recovery', agrees: true, cell: cellOf(cut), ...more },
    { type: 'recovery', agrees: false, cell: cellOf(other), ...more },
  ];
}

const OTHERS: readonly Json[] = [null, 7, 'x', true, [], {}, [null], { a: [1] }];

/** Every place in a value, up to a few elements of a list. */
function* places(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) {
    for (const index of value.slice(0, 2).keys()) yield* places(value[index], [...path, index]);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) yield* places(value[name], [...path, name]);
  }
}

/** A copy with another value at a place; without the member where there is none. */
function tampered(value: unknown, [step, ...rest]: Path, other?: Json): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => {
      if (index !== step) return [each];
      return rest.length === 0 && other === undefined ? [] : [tampered(each, rest, other)];
    });
  }
  const entries = Object.entries(Object(value) as object).flatMap(([name, each]): [string, unknown][] => {
    if (name !== step) return [[name, each]];
    return rest.length === 0 && other === undefined ? [] : [[name, tampered(each, rest, other)]];
  });
  return Object.fromEntries(entries);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], value);
}

/** Members that say to what an observation belongs. */
const LINKS: ReadonlySet<string> = new Set(['type', 'role', 'of', 'after']);

/** Members that older evidence does not have: nothing is wrong without them. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'workflowId',
  'snapshotAgain',
  'snapshotIsEmpty',
  'valuesLate',
  'sourceStart',
  'refusal',
  'otherTarget',
  'leaseMs',
  'calledInReplay',
  'warnedBefore',
  'decided',
  'decidedAfter',
]);

interface Tampering {
  readonly name: string;
  readonly seen: Recording;
  /** The observation that was changed. */
  readonly id: string;
  /** Whether it lost a member that is always there, or what it belongs to. */
  readonly isGrave: boolean;
}

/** Each member of each kind of observation, deleted, of another type, and with another value. */
function* tamperings(seen: Recording): Generator<Tampering> {
  const known = new Set<string>();
  for (const [index, observation] of seen.entries()) {
    for (const path of places(observation)) {
      if (path[0] === 'id') continue;
      const slot = `${observation.type} ${path.map((step) => (typeof step === 'number' ? '#' : step)).join('/')}`;
      if (known.has(slot)) continue;
      known.add(slot);
      const value = at(observation, path);
      for (const other of [undefined, ...OTHERS]) {
        if (kindOf(other) === kindOf(value) && JSON.stringify(other) === JSON.stringify(value)) continue;
        const changed = tampered(observation, path, other) as Recorded<Observation>;
        const isLink = path.length === 1 && LINKS.has(String(path[0]));
        yield {
          name: `${slot} ${other === undefined ? 'deleted' : JSON.stringify(other)}`,
          seen: seen.map((each, place) => (place === index ? changed : each)),
          id: observation.id,
          isGrave: isLink || (path.length === 1 && other === undefined && !OPTIONAL.has(String(path[0]))),
        };
      }
    }
  }
}

describe('evidence that somebody edited', () => {
  const recorded = new Map<string, Recording>();

  beforeAll(async () => {
    await Promise.all(
      atMostOnce.scenarios.map(async (scenario) => void recorded.set(scenario.id, await recordedOf(scenario))),
    );
  });

  afterAll(() => recorded.clear());

  it.each(atMostOnce.scenarios.map((scenario) => [scenario.id, scenario] as const))(
    'makes the judge of %s neither throw nor pass by it',
    (id, scenario) => {
      const seen = recorded.get(id) ?? [];
      const right = scenario.judge(seen, OPTIONS);
      // What other scenarios saw is not there.
      const own = right.filter(({ check }) => !check.endsWith('.every-run'));
      expect(own.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
      const wrong: string[] = [];
      for (const { name, seen: edited, id: of, isGrave } of sampled(tamperings(seen), 3)) {
        const judged = judgedOf(scenario, edited);
        if (typeof judged === 'string') wrong.push(`${name}: ${judged}`);
        else if (isGrave) {
          const relied = right.filter(({ evidence }) => evidence.includes(of)).map(({ check }) => check);
          const passed = judged.filter(({ check, verdict }) => verdict === 'pass' && relied.includes(check));
          wrong.push(...passed.map(({ check }) => `${name}: ${check} passes`));
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it('shows no matrix', () => {
    const seen = recorded.get('once.every-cut') ?? [];
    expect(crashMatrix(seen)).not.toBeNull();
    for (const { seen: edited } of sampled(tamperings(seen), 3)) expect(() => crashMatrix(edited)).not.toThrow();
    expect(crashMatrix(seen.map((each) => ({ ...each, deaths: 7, planned: 7 }) as unknown as Observation))).toBeNull();
  });
});

function judgedOf(scenario: Scenario, seen: Recording): ReturnType<Scenario['judge']> | string {
  try {
    return scenario.judge(seen, OPTIONS);
  } catch (error) {
    return String(error);
  }
}
