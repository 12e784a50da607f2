import type { CrashMatrix } from '../contract/crash-matrix.ts';
import type { Gate } from '../contract/gates.ts';
import type { Remedy } from '../contract/remedy.ts';
import type { ExplainedDiagnosis, Judgement } from '../contract/verdict.ts';
import type { Json, Observation } from '../evidence/types.ts';
import type { CutSet } from '../host/crash.ts';
import type { Probe } from '../host/probe.ts';

/** What must be at hand, beyond the gate, before a scenario can be driven. */
export type Need =
  /** A test seam; `body` is a harmless request that tells an exposed seam from an absent one. */
  | {
      readonly kind: 'seam';
      readonly path: string;
      readonly body: string;
      /** The verdict where the host has no such seam, for rows whose gate it is; inconclusive where nothing is said. */
      readonly absent?: 'not-applicable';
    }
  | { readonly kind: 'fixture'; readonly workflowId: string }
  /** One of several workflows that serve alike, each with those that it starts itself. */
  | { readonly kind: 'one-of'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'second-host' }
  | { readonly kind: 'second-tenant' }
  /** A credential that may read but not create. */
  | { readonly kind: 'limited-credential' }
  /** A credential that may not read. */
  | { readonly kind: 'blind-credential' }
  /** The harness's own endpoints, reachable for the host. */
  | { readonly kind: 'witness' }
  /** The host exports its spans to the witness (`--otel`). */
  | { readonly kind: 'spans' }
  /** Hosts that may be killed, with failpoints to do it (`--crash`, `--restart-command`). */
  | { readonly kind: 'crash' }
  /** A fork endpoint for this mode; `absent` is the verdict where the host does not offer it. */
  | { readonly kind: 'fork'; readonly mode: ForkMode; readonly absent: 'not-applicable' | 'inconclusive' };

/** A workflow that may serve a row. */
export interface Candidate {
  readonly workflowId: string;
  /** The workflows that its runs start. */
  readonly children?: readonly string[];
}

/** All workflows that a need names. */
export function workflowsOf(need: Need): readonly string[] {
  if (need.kind === 'fixture') return [need.workflowId];
  return need.kind === 'one-of' ? need.candidates.flatMap(withChildren) : [];
}

/** A candidate's workflow and those that it starts. */
export function withChildren({ workflowId, children = [] }: Candidate): readonly string[] {
  return [workflowId, ...children];
}

export type ForkMode = 'replay' | 'branch';

/** Why a scenario cannot be driven, and the verdict that this leaves it. */
export interface Lack {
  readonly status: 'not-applicable' | 'inconclusive';
  readonly reason: string;
  /** The check that owns the cause, where one does. */
  readonly restsOn?: string;
  /** What somebody can do about it. */
  readonly remedy?: Remedy;
}

/** One verdict that a scenario gives. `id` is the requirement's id, or that id with `.something` appended. */
export interface Check {
  readonly id: string;
  readonly requirement: string;
  /** The checked sentence. */
  readonly title: string;
}

/** An observation as a judge sees it: with the id under which it is stored. */
export type Recorded<O extends Observation> = O & { readonly id: string };

/** What all scenarios of a run recorded, each with its scenario's id (the planner's: `plan`); nobody has looked at its shape. */
export type Everything = readonly (Recorded<Observation> & { readonly scenario: string })[];

export type RecipeName = 'rfc-0041' | 'rfc-0150';

/** The options of a run that a scenario may read. */
export interface ScenarioOptions {
  readonly seed: number;
  readonly vectors: number;
  /** At most this many forks of one fixture's log in a sweep, spread evenly, first and last included. */
  readonly forks: number;
  /** How many advertised workflows are swept beside the fixtures of rows; all where absent. */
  readonly sweep?: number | 'all';
  /** Workflows that count as advertised, and are swept whatever `sweep` says. */
  readonly workflows?: readonly AddedWorkflow[];
  readonly recipe: RecipeName;
  /** Fields that the vendor documents as volatile: JSON pointers from an event's root, left out of comparisons. */
  readonly volatile: readonly string[];
  /** How many crashes the host is put through: a chosen set of cuts, all of them and their pairs, or none at all. */
  readonly crash: CrashCuts;
}

/** A workflow that somebody wants to have run and swept. */
export type AddedWorkflow = {
  readonly workflowId: string;
  /** What it is given, and the file that says so; nothing where they are absent. */
  readonly given?: { readonly file: string; readonly inputs: { readonly [name: string]: Json } };
};

export type CrashCuts = CutSet | 'none';

/**
 * One situation driven on a host: data plus two functions. `drive` talks to the host and records, it decides nothing;
 * `judge` is pure. Both see the same options, so that old evidence can be judged again.
 */
export interface Scenario<O extends Observation = Observation> {
  readonly id: string;
  readonly suite: string;
  /** The requirement's sentence, in the project's words. */
  readonly title: string;
  readonly checks: readonly Check[];
  readonly gate: Gate;
  readonly needs: readonly Need[];
  /** It checks more where there is a witness, and can do without. */
  readonly witnessHelps?: true;
  /** It judges what the discovery document says and sends nothing: it needs no credential. */
  readonly documentOnly?: true;
  /** It sweeps what the host advertises (`--sweep`). */
  readonly sweeps?: true;
  /** Others stand on what it judges: its judge gets what all scenarios recorded. */
  readonly foundation?: true;
  /** It judges runs whose ids other runs have; all others decide nothing by these. */
  readonly judgesRunIds?: true;
  /** Host resources that no two scenarios may use at the same time. */
  readonly exclusive: readonly string[];
  /** How many times `--timeout` the whole scenario may take; 30 where absent. */
  readonly patience?: (options: ScenarioOptions) => number;
  drive(probe: Probe, options: ScenarioOptions): Promise<readonly O[]>;
  /** `everything` is what all scenarios of the run recorded, for rows about every log or every fork; `only` those checks are judged that it says. */
  judge(
    observations: readonly Recorded<O>[],
    options: ScenarioOptions,
    everything?: Everything,
    only?: (check: string) => boolean,
  ): readonly Judgement[];
}

/** Whether a scenario checks more, or anything at all, where there is a witness. */
export function usesWitness({ needs, witnessHelps }: Scenario): boolean {
  return witnessHelps === true || needs.some(({ kind }) => kind === 'witness' || kind === 'spans');
}

/** Whether a scenario kills hosts. */
export function killsHosts({ needs }: Scenario): boolean {
  return needs.some(({ kind }) => kind === 'crash');
}

/** The suites without the scenarios that kill hosts. */
export function withoutCrashes(suites: readonly Suite[]): readonly Suite[] {
  return suites.map((suite) => ({ ...suite, scenarios: suite.scenarios.filter((each) => !killsHosts(each)) }));
}

/** A claim that other rows stand on (architecture, Causes). */
export interface Foundation {
  /** The check that owns the claim. */
  readonly check: string;
  /**
   * What changes in an observation where that which breaks the claim is set aside; undefined where nothing does. `shown` are
   * the observations that the owner failed by, `beside` those that the scenario recorded. Pure.
   */
  readonly without?: (
    observation: Recorded<Observation>,
    shown: readonly Recorded<Observation>[],
    beside: readonly Recorded<Observation>[],
  ) => object | undefined;
  /** The claim is broken by that check alone, by none of the same requirement. */
  readonly isAlone?: true;
  /** Requirements that are looked at before it: their rows never rest on it. */
  readonly behind?: readonly string[];
  /** Rows may be about that which is set aside: one rests only where it passes without it. */
  readonly onlyPasses?: true;
  /** The same in another way, where something can be seen beside it: a row that rests on the claim, and fails either way without it, fails. */
  readonly showsMore?: Foundation['without'];
  /** Whether an observation shows that the claim does not hold: what is undecided beside it rests on the check. Pure. */
  readonly isBrokenBy?: (observation: Recorded<Observation>) => boolean;
}

/** The checks that checks, or all those of a requirement, take for granted, by name. */
export type StandsOn = Readonly<Record<string, readonly string[]>>;

/**
 * An ordered table of scenarios; `recipeObserved` names the recipe that the host's keys really follow, `crashMatrix` sums
 * up what was seen at each cut. Both are pure, and null where the observations say nothing of it.
 */
export interface Suite {
  readonly id: string;
  readonly scenarios: readonly Scenario[];
  /** Causes that its judges name, each once; what several suites name stands in scenarios/shared/diagnoses.ts. */
  readonly diagnoses?: readonly ExplainedDiagnosis[];
  /** The claims that its checks own. */
  readonly foundations?: readonly Foundation[];
  /** By check or requirement, the checks that it takes for granted: where it is undecided beside one that failed, it rests there. */
  readonly standsOn?: StandsOn;
  /** By check, how the names of those begin that go before it: it fails where none of them does. */
  readonly remainders?: StandsOn;
  readonly recipeObserved?: (observations: readonly Observation[]) => string | null;
  readonly crashMatrix?: (observations: readonly Observation[]) => CrashMatrix | null;
}
