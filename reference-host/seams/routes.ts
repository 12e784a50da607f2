import type { WorkflowCatalogue } from '../engine/catalogue.ts';
import type { ProgramEntry } from '../engine/mock-provider.ts';
import type { Call, Route } from '../http/route.ts';
import { workflowNotFound } from '../http/workflows.ts';
import { stringMember, isObject, member } from '../json.ts';
import type { HostParts } from '../parts.ts';
import { NoCanonicalForm } from '../recipe/cache-key.ts';
import type { Purge } from '../store/response-cache.ts';
import { invalid, refusal, type Answer } from '../types/answers.ts';
import { STOP_REASONS, type StopReason } from '../types/provider.ts';
import { ofRun, seam, type SeamBody, seamHandler, type SeamHost } from './seam.ts';

/** The test-only endpoints. They exist only on a host that was told to have them; any credential may call them. */
export function seamRoutes(host: SeamHost): readonly Route[] {
  const { parts, provider, workflows } = host;
  const { responses } = host.store;
  return [
    {
      ...seam('llm-cache-key', 'The LLM cache key of a provider request'),
      handle: seamHandler((body, call) => cacheKeyOf(parts, body, call)),
    },
    {
      ...seam('mock-ai/program', "Replace what the mock model answers to a node's calls"),
      handle: seamHandler(({ value }) => {
        const read = readProgram(value);
        if (!read.ok) return invalid(read.why);
        provider.stage(read.nodeId, read.program);
        return { status: 200, body: { nodeId: read.nodeId, entries: read.program.length } };
      }),
    },
    {
      ...seam('reset', 'Forget every staged program'),
      handle: seamHandler(() => {
        provider.reset();
        return { status: 200, body: { reset: true } };
      }),
    },
    {
      ...seam('llm-cache/purge', "Forget recorded provider responses of the caller's tenant"),
      handle: seamHandler(({ value }, { tenant }) => {
        const which = readPurge(value);
        if (typeof which === 'string') return invalid(which);
        return { status: 200, body: { purged: responses.purge(parts.llmCache.namespace(tenant), which) } };
      }),
    },
    {
      ...seam('layer-two', "The Layer-2 ids of a run's provider calls", { 404: 'There is no such run' }),
      handle: ofRun(host, ({ runId, tenant }) => {
        const invocations = responses.invocations(parts.llmCache.namespace(tenant), runId);
        return { status: 200, body: { invocations } };
      }),
    },
    {
      ...seam('workflow-revision', 'Make another revision of a definition the current one', {
        404: 'There is no such workflow, or no such revision of it',
      }),
      handle: seamHandler(({ value }, { tenant }) => revise(workflows, value, tenant)),
    },
  ];
}

function revise(workflows: WorkflowCatalogue, body: unknown, tenant: string): Answer {
  const [workflowId, revision] = [stringMember(body, 'workflowId'), stringMember(body, 'revision')];
  if (workflowId === undefined || revision === undefined) return invalid('workflowId and revision must be strings.');
  switch (workflows.revise(workflowId, revision, tenant)) {
    case 'revised':
      return { status: 200, body: { workflowId, revision } };
    case 'unknown workflow':
      return workflowNotFound();
    case 'unknown revision':
      return refusal(404, 'revision_not_found', 'The workflow has no such revision.');
  }
}

function cacheKeyOf(parts: HostParts, { text, value }: SeamBody, { request, tenant }: Call): Answer {
  const problem = parts.validateKeyRequest(value);
  if (problem !== undefined) return invalid(problem);
  try {
    const call = { request: value, rawText: text, headers: request.headers, tenant };
    return { status: 200, body: { cacheKey: parts.cacheKey(call, parts) } };
  } catch (error) {
    if (error instanceof NoCanonicalForm) return invalid(error.message);
    throw error;
  }
}

/** Which responses a purge request means, or what is wrong with it. An empty object means all of them. */
function readPurge(body: unknown): Purge | string {
  if (!isObject(body)) return 'The body must be a JSON object.';
  const names = ['runId', 'nodeId', 'cacheKey'].filter((name) => member(body, name) !== undefined);
  const wrong = names.find((name) => typeof body[name] !== 'string');
  if (wrong !== undefined) return `${wrong} must be a string.`;
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

type ProgramReading =
  | { readonly ok: true; readonly nodeId: string; readonly program: readonly ProgramEntry[] }
  | { readonly ok: false; readonly why: string };

/** Reads a staging request in either of the two forms of the wire contract; `why` is a sentence for the caller. */
function readProgram(body: unknown): ProgramReading {
  const nodeId = stringMember(body, 'nodeId');
  if (nodeId === undefined || nodeId === '') return { ok: false, why: 'nodeId must be a non-empty string.' };
  const entries = member(body, 'program');
  if (!Array.isArray(entries) || entries.length === 0) return { ok: false, why: 'program must be a non-empty array.' };
  const program: ProgramEntry[] = [];
  for (const entry of entries) {
    const read = readEntry(entry);
    if (read === undefined) return { ok: false, why: `program[${program.length}] is not an entry of a program.` };
    program.push(read);
  }
  return { ok: true, nodeId, program };
}

function readEntry(entry: unknown): ProgramEntry | undefined {
  switch (member(entry, 'mode')) {
    case undefined:
      return stopReasonEntry(entry);
    case 'envelope':
      return { content: member(entry, 'envelope') ?? null, stopReason: 'end_turn' };
    case 'refusal':
      return refused(stringMember(entry, 'refusalReason'));
    default:
      return undefined;
  }
}

function stopReasonEntry(entry: unknown): ProgramEntry | undefined {
  const stopReason = member(entry, 'stopReason') ?? 'end_turn';
  if (!isStopReason(stopReason)) return undefined;
  if (stopReason === 'safety') return refused(stringMember(entry, 'refusalText'));
  const content = member(entry, 'content');
  return content === undefined ? undefined : { content, stopReason };
}

function refused(refusalText: string | undefined): ProgramEntry {
  return { content: null, stopReason: 'safety', ...(refusalText === undefined ? {} : { refusalText }) };
}

function isStopReason(value: unknown): value is StopReason {
  return STOP_REASONS.some((reason) => reason === value);
}
