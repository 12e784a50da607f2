import { isObject, member, type JsonObject } from '../json.ts';
import type { SpanAttributes } from '../parts.ts';
import type { GovernancePolicy, SpellingKind, Surface } from '../policies/governance.ts';
import type { Annotation } from '../store/beside-logs.ts';
import type { RunEvent } from '../store/event.ts';
import type { SecretOrigin } from '../store/expired.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { needlesFor, redact, type Needles } from './redact.ts';
import type { RunSecrets, Secrets } from './run-secrets.ts';
import type { Spelling } from './spellings.ts';

/** Takes the secrets of runs out of what is shown of them. The store keeps what it has: execution needs it. */
export interface Redactor {
  /** A JSON value about a run without the run's secrets. */
  value(at: Showing, value: unknown): unknown;
  /** An object with some of its members redacted; the member `error` counts as the surface of that name. */
  members(at: Showing, object: JsonObject, names: readonly string[]): JsonObject;
  /** An event with its payload redacted: what stands beside that, the host has made. */
  event(at: Showing, event: RunEvent): RunEvent;
  /** Annotations of a run: people may quote what they have seen. */
  annotation(run: RunRecord): (annotation: Annotation) => JsonObject;
  span(run: RunRecord, attributes: SpanAttributes): SpanAttributes;
}

export interface Showing {
  readonly run: RunRecord;
  readonly surface: Surface;
  readonly streamMode?: string;
}

/** The redactor of a host. */
export function createRedactor(store: Pick<Store, 'runs'>, secrets: RunSecrets, { hides }: GovernancePolicy): Redactor {
  /** By the place, and by what is hidden there: most places hide the same. */
  const prepared = new WeakMap<Secrets, Map<string, Needles>>();
  const needlesAt = (at: Showing): Needles | undefined => {
    const found = secrets.of(at.run);
    if (found.size === 0) return undefined;
    const place = `${at.run.runId} ${at.surface} ${at.streamMode ?? ''}`;
    const places = prepared.get(found) ?? new Map<string, Needles>();
    prepared.set(found, places);
    const known = places.get(place);
    if (known !== undefined) return known;
    const hidden = hiddenAt(at, found);
    const what = JSON.stringify([...hidden]);
    const needles = places.get(what) ?? needlesFor(chosen(found, hidden));
    places.set(place, needles).set(what, needles);
    return needles;
  };
  /** Which spellings are hidden there, by `ruleFor`: a secret has many of a kind. */
  const hiddenAt = ({ run, surface, streamMode = '' }: Showing, found: Secrets): ReadonlyMap<string, boolean> => {
    const at = { run, ofFork: store.runs.parent(run)?.fork !== undefined, surface, streamMode };
    const hidden = new Map<string, boolean>();
    for (const [secret, origin] of found) {
      for (const { kind } of secrets.spellings(secret)) {
        const rule = ruleFor(origin, kind);
        if (!hidden.has(rule)) hidden.set(rule, hides({ ...at, origin, spelling: kind }));
      }
    }
    return hidden;
  };
  const chosen = (found: Secrets, hidden: ReadonlyMap<string, boolean>): ReadonlyMap<string, readonly Spelling[]> =>
    new Map(
      [...found].map(([secret, origin]) => [
        secret,
        secrets.spellings(secret).filter(({ kind }) => hidden.get(ruleFor(origin, kind)) === true),
      ]),
    );
  const value: Redactor['value'] = (at, given) => {
    const needles = needlesAt(at);
    return needles === undefined ? given : redact(given, needles);
  };
  const members: Redactor['members'] = (at, object, names) => {
    const redacted = names
      .filter((name) => member(object, name) !== undefined)
      .map((name) => [name, value(name === 'error' ? { ...at, surface: name } : at, object[name])] as const);
    return { ...object, ...Object.fromEntries(redacted) };
  };
  return {
    value,
    members,
    annotation: (run) => (annotation) =>
      members({ run, surface: 'annotation' }, { ...annotation, target: { runId: run.runId } }, ['signal', 'note']),
    span: (run, attributes) => value({ run, surface: 'span' }, attributes) as SpanAttributes,
    event(at, event) {
      if (needlesAt(at) === undefined) return event;
      const { payload } = event;
      if (!isObject(payload) || member(payload, 'error') === undefined)
        return { ...event, payload: value(at, payload) };
      const error = value({ ...at, surface: 'error' }, payload['error']);
      const rest = value(at, { ...payload, error: null });
      return { ...event, payload: isObject(rest) ? { ...rest, error } : { error } };
    },
  };
}

function ruleFor(origin: SecretOrigin, kind: SpellingKind): string {
  return `${origin} ${kind}`;
}
