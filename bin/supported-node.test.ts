import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { unsupportedNode } from './supported-node.ts';

describe('unsupportedNode', () => {
  it('accepts what engines in package.json names', () => {
    const { engines } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe('^20.19.0 || ^22.13.0 || >=24.0.0');
    for (const version of ['20.19.0', '20.20.2', '22.13.0', '22.23.1', '24.0.0', '26.1.0']) {
      expect(unsupportedNode(version)).toBeUndefined();
    }
  });

  it.each(['12.22.12', '18.20.8', '20.18.3', '21.7.3', '22.12.0', '23.11.1'])(
    'names what is needed instead of %s',
    (version) => {
      expect(unsupportedNode(version)).toBe(`needs Node.js 20.19, 22.13 or 24, or newer; this is ${version}`);
    },
  );
});
