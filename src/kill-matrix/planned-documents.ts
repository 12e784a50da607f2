import { DISCOVERY_PATH } from '../protocol/paths.ts';
import type { Answer } from './exchanges.ts';

/**
 * The discovery documents that mutants give the planner. It asks once, before anything else, and of the host that is made
 * first; other hosts and later requests are no business of these.
 */
export interface PlannedDocuments {
  /** By the mutants' ids; undefined where there is none that can be read. */
  readonly found: ReadonlyMap<string, unknown>;
  /** A host was made, with the conformant host's document or in the place of it. */
  readonly hostMade: () => void;
  /** A mutant makes another document for a host. Whether what is in `found` tells all about that. */
  readonly made: (id: string, document: unknown) => boolean;
  /** A request came, whoever answers it. */
  readonly requested: (request: Request) => void;
  /** A mutant answers a request otherwise. Whether what is in `found` tells all about that. */
  readonly answered: (id: string, request: Request, answer: Answer) => boolean;
}

/** Makes an empty record. */
export function createPlannedDocuments(): PlannedDocuments {
  const found = new Map<string, unknown>();
  let isMade = false;
  let first: Request | undefined;
  return {
    found,
    hostMade: () => (isMade = true),
    made: (id, document) => {
      if (isMade) return found.has(id);
      const asSent = sent(document);
      if (asSent === undefined) return false;
      found.set(id, asSent.value);
      return true;
    },
    requested: (request) => {
      if (new URL(request.url).pathname === DISCOVERY_PATH) first ??= request;
    },
    answered: (id, request, answer) => {
      if (request !== first || isReadable(answer)) return false;
      found.set(id, undefined);
      return true;
    },
  };
}

/** A value as JSON carries it; undefined for one that it cannot carry. */
function sent(value: unknown): { readonly value: unknown } | undefined {
  try {
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? { value: JSON.parse(text) as unknown } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this may be a document: 200 with JSON. */
function isReadable({ response: { status }, body }: Answer): boolean {
  if (status !== 200) return false;
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}
