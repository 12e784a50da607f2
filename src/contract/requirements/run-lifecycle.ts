import type { Requirement } from '../requirement.ts';
import { must, rowsOf, should } from './row.ts';

/** The rows of the register about runs as such: what all other rows stand on. */
export const runLifecycle: readonly Requirement[] = rowsOf('run-lifecycle', [
  must('run.created', {
    clause: 'a run of a workflow that the host names can be made, followed to its end and read',
    source: 'wire',
  }),
  must('run.snapshot-agrees', {
    clause: "a finished run's snapshot has the status, error code, variables and channels that its log ends with",
    source: '0041 §C.2, replay Phase 4 §C',
  }),
  should('run.create-idempotency', {
    clause: 'POST /v1/runs twice under one Idempotency-Key is one run; with another body it is refused with 409',
    source: 'wire',
  }),
  should('run.error-envelope', {
    clause: 'creating and reading runs is refused in the error envelope, and with 401 where there is no credential',
    source: 'wire',
  }),
  should('run.stream-modes', {
    clause:
      'a stream mode that is unknown, or stands beside the exclusive one, is refused with 400 or ignored as a whole',
    source: 'wire',
  }),
  should('run.cursor', {
    clause: 'a reading of a log that is resumed after an event shows what follows that event, and nothing else',
    source: 'replay Why, wire',
  }),
  should('run.cancel', {
    clause:
      'the answer to the cancellation of a run names that run, and an end that it says is the end of the run; one of a run that there is not is refused',
    source: 'wire',
  }),
  should('schema.run-answer', {
    clause: 'the answer that makes a run fits its schema',
    source: 'wire',
  }),
  must('schema.run-snapshot', {
    clause: 'a snapshot shows its status as a text',
    source: '0041 §C.2',
  }),
  should('schema.run-snapshot.wire', {
    clause: 'a snapshot fits its schema',
    source: 'wire',
  }),
  must('schema.run-event', {
    clause: 'eventId, type, sequence and causationId of an event are of their types, and its id is its own',
    source: 'replay Endpoint, 0037 §B',
  }),
  should('schema.run-event.wire', {
    clause: 'an event fits its schema',
    source: 'wire',
  }),
  must('schema.fork-answer', {
    clause: 'the answer that makes a fork fits its schema',
    source: 'replay Response',
  }),
  should('schema.error-envelope', {
    clause: 'a refusal is the error envelope, and nothing else',
    source: 'wire',
  }),
  should('schema.interrupt', {
    clause: 'the payload of an interrupt fits its schema, and one that was answered takes no other answer',
    source: 'wire',
  }),
  should('schema.annotation', {
    clause: 'where feedback is advertised, annotations are taken and listed, and fit their schemas',
    source: 'wire',
  }),
  should('schema.diff', {
    clause: 'the difference of two runs fits its schema',
    source: 'wire',
  }),
]);
