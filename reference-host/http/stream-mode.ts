import { isTerminal, type EventType } from '../store/event.ts';

const MODES: Readonly<Record<string, (type: EventType) => boolean>> = {
  values: (type) => type === 'variable.changed',
  updates: () => true,
  messages: (type) => type === 'provider.usage' || type === 'envelope.refusal' || type === 'node.completed',
  debug: () => true,
};

/** The modes that there are. */
export const STREAM_MODES: readonly string[] = Object.keys(MODES);

/**
 * Which events a `streamMode` shows: one mode or several with commas between them, `updates` where there is none.
 * Undefined for an unknown mode, and for `values` beside another one. Every mode shows how the run began and ended.
 */
export function streamFilter(streamMode: string | null): ((type: EventType) => boolean) | undefined {
  const names = (streamMode ?? 'updates').split(',');
  if (!names.every((name) => Object.hasOwn(MODES, name))) return undefined;
  if (names.length > 1 && names.includes('values')) return undefined;
  return (type) => type === 'run.started' || isTerminal(type) || names.some((name) => MODES[name]?.(type) === true);
}
