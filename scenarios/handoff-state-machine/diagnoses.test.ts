import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../src/contract/package-root.ts';
import { findRequirement } from '../../src/contract/requirements/index.ts';
import { diagnoses } from './diagnoses.ts';
import { handoffStateMachine } from './index.ts';

/** The names that stand in the sources of the suite, its tests and the table itself left out. */
function namesInSources(): readonly string[] {
  const directory = packageFile('scenarios/handoff-state-machine');
  const files = readdirSync(directory).filter((name) => !name.endsWith('.test.ts') && name !== 'diagnoses.ts');
  return files.flatMap((name) => {
    const source = readFileSync(`${directory}/${name}`, 'utf8');
    const places = [...source.matchAll(/\bwrong\([^)]*/gu)].map(([place]) => place);
    return places.flatMap((place) => [...place.matchAll(/'(?<code>[a-z][a-z\d-]*)'/gu)].map(codeIn));
  });
}

function codeIn({ groups }: RegExpExecArray): string {
  return groups?.['code'] ?? '';
}

describe('the causes that the judges name', () => {
  it('are all explained, and none that they do not name', () => {
    const codes = diagnoses.map(({ code }) => code);
    expect(codes.toSorted()).toEqual([...new Set(codes)].toSorted());
    expect([...new Set(namesInSources())].toSorted()).toEqual(codes.toSorted());
  });

  it('break requirements of the suite', () => {
    for (const { breaks, message } of diagnoses) {
      expect(breaks.length).toBeGreaterThan(0);
      expect(breaks.map((id) => findRequirement(id)?.suite)).toEqual(breaks.map(() => 'handoff-state-machine'));
      expect(message).toMatch(/\.$/u);
    }
  });

  it('belong to the suite', () => {
    expect(handoffStateMachine.diagnoses).toBe(diagnoses);
  });
});
