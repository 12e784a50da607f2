import { isObject } from '../../json.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defects } from '../mutant.ts';
import { answering } from '../shared/run-wire.ts';

const CREATION = /^\/v1\/runs$/u;
const LOG = /^\/v1\/runs\/[^/]+\/events(?:\/poll)?$/u;
const SNAPSHOT = /^\/v1\/runs\/[^/:]+$/u;

/** A run cannot be made, or not be read: nothing else can be judged then. */
export const defects: Defects = {
  'runs-not-made': {
    breaks: 'The discovery document names workflows, and every run is refused with 501.',
    kills: ['run.created'],
    parts: answering('POST', CREATION, () => respond(refusal(501, 'not_implemented', 'No runs are made here.'))),
  },
  'named-workflows-unknown': {
    breaks: 'The workflows that the discovery document names are unknown when a run of them is to be made.',
    kills: ['run.created'],
    parts: answering('POST', CREATION, () => respond(refusal(404, 'not_found', 'There is no such workflow.'))),
  },
  'run-id-left-out': {
    breaks: 'The answer to POST /v1/runs names no run.',
    kills: ['run.created'],
    parts: answering('POST', CREATION, async (response) => {
      const made = await response();
      const body: unknown = await made.json();
      return Response.json(isObject(body) ? { ...body, runId: undefined } : body, { status: made.status });
    }),
  },
  'logs-nowhere': {
    breaks: 'The log of a run that was made is at none of its addresses.',
    kills: ['run.created'],
    waits: true,
    parts: answering('GET', LOG, () => respond(refusal(404, 'not_found', 'There is no such run.'))),
  },
  'snapshots-not-served': {
    breaks: 'The snapshot of a run that was made is answered with 501.',
    kills: ['run.created'],
    waits: true,
    parts: answering('GET', SNAPSHOT, () => respond(refusal(501, 'not_implemented', 'No snapshots are served here.'))),
  },
};
