import { member } from '../contract/discovery.ts';
import type { Definition, DefinitionNode } from '../contract/definitions.ts';
import type { Exchange, HostRequest } from '../host/client.ts';
import { answerText, isPage, jsonIn } from '../host/exchanged.ts';
import type { FixtureState } from '../host/probe.ts';
import { isSuccess } from '../protocol/status.ts';
import { cut } from '../evidence/cut.ts';

/** A host's own endpoint for workflows. */
export interface Endpoint {
  readonly method: 'POST' | 'PUT';
  /** The target's own origin: the credential goes there. */
  readonly origin: string;
  /** `{workflowId}` stands for the id. */
  readonly path: string;
}

/** What became of a definition. */
export interface Outcome {
  readonly state: FixtureState;
  /** The host may hold what was sent, so it is taken away afterwards. */
  readonly isOurs: boolean;
}

/** A tenant under whose credential fixtures are registered. */
export interface Caller {
  readonly isFirst: boolean;
  readonly credential: string | undefined;
  readonly variable: string;
}

/** A definition at a tenant, with what became of it. */
export interface Tried extends Outcome {
  readonly workflowId: string;
  readonly caller: Caller;
  /** What names it stands in a later wave. */
  readonly wave: number;
}

const PLACE = '{workflowId}';

/** The request that registers a definition. */
export function registrationOf({ method, path }: Endpoint, definition: Definition): HostRequest {
  return { method, path: filled(path, definition.id), body: JSON.stringify(asSent(definition)) };
}

/** The request that takes a definition away: at its own place, or below the collection that it was sent to. */
export function removalOf({ path }: Endpoint, workflowId: string): HostRequest {
  const own = path.includes(PLACE) ? path : `${path.replace(/\/$/u, '')}/${PLACE}`;
  return { method: 'DELETE', path: filled(own, workflowId) };
}

function filled(path: string, workflowId: string): string {
  return path.replaceAll(PLACE, encodeURIComponent(workflowId));
}

/** With both names that hosts use for the ids of workflows and of nodes: `id` and `workflowId`, `id` and `nodeId`. */
function asSent(definition: Definition): object {
  const { revisions } = definition;
  return {
    ...withNodeIds(definition),
    workflowId: definition.id,
    ...(revisions && { revisions: revisions.map(withNodeIds) }),
  };
}

function withNodeIds(definition: { readonly nodes?: readonly DefinitionNode[] }): object {
  const { nodes } = definition;
  return { ...definition, ...(nodes && { nodes: nodes.map((node) => ({ ...node, nodeId: node.id })) }) };
}

const CONFLICT = 409;
/** Reasons for which a host never got the request. */
const NEVER_SENT: ReadonlySet<string> = new Set(['refused', 'unresolvable', 'tls']);

/** What became of a definition: registered, there before, or absent. */
export function readRegistration(exchange: Exchange, workflowId: string): Outcome {
  if (exchange.kind === 'failure') return absent(answerText(exchange), !NEVER_SENT.has(exchange.reason));
  if (exchange.status === CONFLICT) return { state: { isThere: true, because: `${CONFLICT}` }, isOurs: false };
  if (!isSuccess(exchange.status)) return absent(answerWords(exchange));
  if (isPage(exchange)) return absent('a web page');
  const called = wordsIn(exchange, 'workflowId', 'id');
  const [other] = called;
  if (other !== undefined && !called.includes(workflowId)) return absent(`another id, ${other}, which stays there`);
  return { state: { isThere: true, because: `${exchange.status}` }, isOurs: true };
}

/** A definition that the host does not have. */
export function absent(because: string, isOurs = false): Outcome {
  return { state: { isThere: false, because }, isOurs };
}

/** An answer in a line: its status, with the code and the message of an error envelope. */
export function answerWords(exchange: Exchange): string {
  return [answerText(exchange), ...wordsIn(exchange, 'error', 'message')].join(' ');
}

/** Characters of a host's own words in a line. */
const SHOWN_CHARACTERS = 160;

function wordsIn(exchange: Exchange, ...names: readonly string[]): readonly string[] {
  const words = names.map((name) => member(jsonIn(exchange), name)).filter((word) => typeof word === 'string');
  return words.map((word) => (word.length > SHOWN_CHARACTERS ? `${cut(word, SHOWN_CHARACTERS)}…` : word));
}
