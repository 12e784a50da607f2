import { type Definition, inWaves } from '../contract/definitions.ts';
import { listed as listedNames } from '../contract/listed.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { HostHandle } from '../host/client.ts';
import { jsonIn } from '../host/exchanged.ts';
import type { FixtureState } from '../host/probe.ts';
import { workflowPath } from '../protocol/paths.ts';
import { isSuccess } from '../protocol/status.ts';
import { discoveryOf } from './needs.ts';
import { isRuledOut, PLAN } from './plan.ts';
import type { ProbeSetup } from './probes.ts';
import {
  absent,
  answerWords,
  type Caller,
  type Endpoint,
  type Outcome,
  readRegistration,
  registrationOf,
  removalOf,
  type Tried,
} from './registration-request.ts';
import { type Scenario, workflowsOf } from './scenario.ts';
import { stopping } from './stopped.ts';
import { variableOf } from './target.ts';

/** What is worth saying of registered fixtures: how many there are, which were there, and which are absent and why. */
function linesAboutRegistering(endpoint: Endpoint, tried: readonly Tried[]): readonly string[] {
  const { method, origin, path } = endpoint;
  const where = `${method} ${origin}${path}`;
  const count = tried.filter(({ isOurs, state }) => isOurs && state.isThere).length;
  // What one tenant registered may be there for the other one.
  const conflicting = tried.filter(({ caller, state }) => caller.isFirst && state.because === '409');
  return [
    ...(count === 0 ? [] : [`${count} fixtures registered over ${where}, to be removed at the end`]),
    ...(conflicting.length === 0 ? [] : [`${where} answered 409: used as they are: ${listed(conflicting)}`]),
    ...grouped(tried.filter(({ state }) => !state.isThere)).map(
      ([because, group]) => `${where} gave ${because}: not registered, absent: ${listed(group)}`,
    ),
  ];
}

/** What is left at the host: a line for each reason. */
function linesAboutRemoving(endpoint: Endpoint, left: readonly Tried[]): readonly string[] {
  return grouped(left).map(([because, group]) => {
    const { path } = removalOf(endpoint, group[0]?.workflowId ?? '');
    return `DELETE ${endpoint.origin}${path} gave ${because}: not removed, take them away: ${listed(group)}`;
  });
}

/** By what was answered, and to whom. */
function grouped(tried: readonly Tried[]): readonly (readonly [because: string, group: readonly Tried[]])[] {
  const groups = new Map<string, Tried[]>();
  for (const each of tried) {
    const because = `${each.state.because}${each.caller.isFirst ? '' : ' to the second tenant'}`;
    const group = groups.get(because);
    if (group === undefined) groups.set(because, [each]);
    else group.push(each);
  }
  return [...groups];
}

/** Fixtures that a line names. */
const NAMED = 4;

function listed(tried: readonly Tried[]): string {
  return listedNames(
    tried.map(({ workflowId }) => workflowId),
    NAMED,
  );
}

/** How fixtures get to a host that has an endpoint for workflows (`--register`). */
export interface Registration extends Endpoint {
  /** All that may be registered, in the host's node kinds. */
  readonly definitions: readonly Definition[];
  /** By scenario, the workflows that it runs where the host has them, beside those that it needs. */
  readonly mayRun: ReadonlyMap<string, readonly string[]>;
  /** Gets what is worth saying, a line each. */
  readonly notice: (line: string) => void;
}

/** What a run has registered. */
export interface Registered {
  /** By workflow, whether the host has it now: all that the run needs. */
  readonly fixtures: ReadonlyMap<string, FixtureState>;
  /** Takes away what was put there, whether or not the run was interrupted. Never throws for anything the host does. */
  remove(): Promise<void>;
}

/** What registering is done with. */
export interface RegisteringFor {
  readonly scenarios: readonly Scenario[];
  readonly setup: ProbeSetup;
  /** The discovery document; undefined where it could not be read. */
  readonly document: unknown;
  readonly redact: Redactor;
  readonly signal: AbortSignal;
}

/** All registrations together, and all removals, take at most so many times `--timeout`. */
const REGISTERING = 6;
const REMOVING = 3;

/**
 * Registers the fixtures that the scenarios need and the host lacks: they are not in its discovery document and cannot be
 * read as workflows. Workers go before those that hand over to them. What a second tenant's scenarios need is registered
 * for that tenant, too. Never throws for anything the host does.
 */
export async function registerLacking(registration: Registration, given: RegisteringFor): Promise<Registered> {
  const { setup, document, redact, signal } = given;
  const { apiKey, tenantBKey } = setup.target;
  const scenarios = given.scenarios.filter((scenario) => !isRuledOut(scenario, document));
  const say = (lines: readonly string[]): void => {
    for (const line of lines) registration.notice(redact(line, 'pieces'));
  };
  const stop = stopping([signal], REGISTERING * setup.timeoutMs);
  const work: Work = {
    registration,
    setup,
    advertised: new Set(discoveryOf(document)?.fixtures),
    signal: stop.signal,
  };
  const first = { isFirst: true, credential: apiKey, variable: variableOf(setup.target, 'apiKey') };
  const second = { isFirst: false, credential: tenantBKey, variable: variableOf(setup.target, 'tenantBKey') };
  const own = await registerFor(first, fixturesOf(scenarios, registration), work);
  const shared = tenantBKey === undefined ? [] : await registerFor(second, sharedFixtures(scenarios), work);
  stop.cancel();
  const tried = [...own, ...shared];
  if (!signal.aborted) say(linesAboutRegistering(registration, tried));
  return {
    fixtures: new Map(own.map(({ workflowId, state }) => [workflowId, state])),
    remove: async () => say(linesAboutRemoving(registration, await removeAll(tried, work))),
  };
}

/** What scenarios need or may run. */
function fixturesOf(scenarios: readonly Scenario[], { mayRun }: Registration): readonly string[] {
  return [...neededBy(scenarios), ...scenarios.flatMap(({ id }) => mayRun.get(id) ?? [])];
}

/** What scenarios about two tenants need, with the workflow that they start as the second one. */
function sharedFixtures(scenarios: readonly Scenario[]): readonly string[] {
  const shared = scenarios.filter(({ needs }) => needs.some(({ kind }) => kind === 'second-tenant'));
  return shared.length === 0 ? [] : ['conformance-noop', ...neededBy(shared)];
}

function neededBy(scenarios: readonly Scenario[]): readonly string[] {
  return scenarios.flatMap(({ needs }) => needs.flatMap(workflowsOf));
}

interface Work {
  readonly registration: Registration;
  readonly setup: ProbeSetup;
  readonly advertised: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

async function registerFor(caller: Caller, ids: readonly string[], work: Work): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  for (const [wave, definitions] of inWaves(ids, work.registration.definitions).entries()) {
    const states = await Promise.all(definitions.map((definition) => registerOne(definition, caller, work)));
    tried.push(
      ...definitions.map(({ id }, index) => ({ workflowId: id, caller, wave, ...(states[index] ?? NOT_SENT) })),
    );
  }
  return tried;
}

const NOT_SENT = absent('no time was left');

async function registerOne(definition: Definition, caller: Caller, work: Work): Promise<Outcome> {
  const { registration, setup, advertised, signal } = work;
  const { id } = definition;
  if (advertised.has(id)) return { state: { isThere: true, because: 'advertised' }, isOurs: false };
  if (signal.aborted) return NOT_SENT;
  const host = handleOf(caller, setup.target.baseUrl, work, signal);
  const read = await host.exchange({ method: 'GET', path: workflowPath(id) });
  if (jsonIn(read, 200) !== undefined) return { state: { isThere: true, because: 'readable' }, isOurs: false };
  if (signal.aborted) return NOT_SENT;
  const exchange = await handleOf(caller, registration.origin, work, signal).exchange(
    registrationOf(registration, definition),
  );
  return readRegistration(exchange, id);
}

function handleOf({ credential, variable }: Caller, baseUrl: string, { setup }: Work, signal: AbortSignal): HostHandle {
  return setup.client.handle({ baseUrl, credential, variable, scenario: PLAN, signal });
}

/** Wave by wave, so that no definition names a worker that is gone; what is left there is returned, with the reason. */
async function removeAll(tried: readonly Tried[], work: Work): Promise<readonly Tried[]> {
  const { registration, setup } = work;
  const stop = stopping([], REMOVING * setup.timeoutMs);
  const left: Tried[] = [];
  const remove = async (each: Tried): Promise<void> => {
    const host = handleOf(each.caller, registration.origin, work, stop.signal);
    const exchange = await host.exchange(removalOf(registration, each.workflowId));
    // It may never have got there.
    const isGone = exchange.kind === 'response' && (isSuccess(exchange.status) || !each.state.isThere);
    if (!isGone) left.push({ ...each, state: { isThere: true, because: answerWords(exchange) } });
  };
  const ours = tried.filter(({ isOurs }) => isOurs);
  const waves = [...new Set(ours.map(({ wave }) => wave))].toSorted((a, b) => b - a);
  for (const wave of waves) await Promise.all(ours.filter((each) => each.wave === wave).map(remove));
  stop.cancel();
  return left;
}
