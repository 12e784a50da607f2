import type { ForkDraft, ListQuery } from './model.ts';

/** The addresses of the view. A host's texts come into them percent-encoded only. */

export function runPage(runId: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
  return `/runs/${segment(runId)}${queryText(query)}`;
}

/** Without a quote either, so that it may stand in a command. */
function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

export function eventPage(runId: string, event: string | number): string {
  return `${runPage(runId)}/events/${segment(String(event))}`;
}

/** The deep link to the replay endpoint (replay.md, Run Timeline View): it shows the request, a click sends it. */
export function forkPage({ runId, mode, fromSeq }: ForkDraft): string {
  return runPage(runId, { fork: mode, fromSeq });
}

export function listPage({ search, status, parentRunId, before }: ListQuery): string {
  return `/${queryText({ search, status, parentRunId, before })}`;
}

/** The endpoint's path for a run, as it stands in requests. */
export function forkPath(runId: string): string {
  return `/v1/runs/${segment(runId)}:fork`;
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}

export const STYLE_PATH = '/ui/timeline.css';
export const SCRIPT_PATH = '/ui/timeline.js';
/** Below it stands the content of each page alone, under the page's own address. */
export const CONTENT_PATH = '/ui';
