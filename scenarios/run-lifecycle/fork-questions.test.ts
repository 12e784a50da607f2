import { describe, expect, it } from 'vitest';
import type { RunObservation } from '../shared/run-observation.ts';
import { recordedRun, replayCalled, runCalled, say, type Said } from '../../test/recorded-runs.ts';
import { forkQuestionFaults, questionsIn } from './fork-questions.ts';
import { originsIn } from './named-run.ts';

const asked = (interruptId: string, type = 'interrupt.requested'): Said => say(type, { interruptId }, 'gate');
const answered = (interruptId: string): Said => say('interrupt.resolved', { interruptId }, 'gate');
const END = say('run.completed');
const SOURCE = [runCalled('src', [asked('i')]), runCalled('src', [asked('i'), answered('i'), END])];

/** What is wrong with the answers in the log of a fork. */
function faults(said: readonly Said[], before: readonly RunObservation[] = SOURCE): readonly string[] {
  const fork = replayCalled('rep', said);
  const found = forkQuestionFaults(fork, originsIn([...before, fork]), questionsIn([...before, fork]));
  return [...found].flatMap(([sequence, all]) => all.map(({ pointer, wrong }) => `${sequence} ${pointer} ${wrong}`));
}

describe('an answer in the log of a fork', () => {
  it('names a question of its source, or one of its own', () => {
    expect(faults([answered('i'), END])).toEqual([]);
    expect(faults([asked('own'), answered('own'), END])).toEqual([]);
    expect(faults([asked('own', 'node.suspended'), answered('own'), END])).toEqual([]);
    expect(faults([say('interrupt.resolved', {}, 'gate'), END])).toEqual([]);
  });

  it('names no question that nobody asked', () => {
    expect(faults([asked('i'), answered('x'), END])).toEqual([
      '1 /interruptId is "x", which no interrupt.requested of the fork or of its source has',
    ]);
  });

  it('says nothing where its source was not read to its end, shows no question, or was not seen', () => {
    expect(faults([answered('x')], SOURCE.slice(0, 1))).toEqual([]);
    expect(faults([answered('x')], [runCalled('src', [END])])).toEqual([]);
    expect(faults([answered('x')], [recordedRun('src', { problem: 'not seen' })])).toEqual([]);
    expect(faults([answered('x')], [])).toEqual([]);
  });
});
