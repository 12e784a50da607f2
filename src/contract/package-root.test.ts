import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile, packageVersion } from './package-root.ts';

describe('packageFile', () => {
  it('finds what ships with the package', () => {
    expect(existsSync(packageFile('schemas', 'evidence.schema.json'))).toBe(true);
  });
});

describe('packageVersion', () => {
  it('is the manifest’s', () => {
    expect(readFileSync(packageFile('package.json'), 'utf8')).toContain(`"version": "${packageVersion()}"`);
  });
});
