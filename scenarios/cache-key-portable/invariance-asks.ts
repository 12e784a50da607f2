import type { Ask } from './ask.ts';
import { base, baseAgain, twin } from './judge-invariance.ts';
import { requestText } from './requests.ts';

/** Sent before the variations: the plain request, and one with another model, whose key must differ. */
export const before: readonly Ask[] = [
  { name: base, part: 'control', request: requestText() },
  { name: twin, part: 'control', request: requestText({ model: '"claude-3"' }) },
];

/** Sent after them: a host whose keys change by themselves is told apart from one that heeds the variation. */
export const after: readonly Ask[] = [{ name: baseAgain, part: 'control', request: requestText() }];
