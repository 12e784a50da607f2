import type { Suite } from '../../src/runner/scenario.ts';
import { diagnoses } from './diagnoses.ts';
import { document } from './document.ts';

/** discovery: is the advertisement there, well-formed and coherent? */
export const discovery: Suite = { id: 'discovery', scenarios: [document], diagnoses };
