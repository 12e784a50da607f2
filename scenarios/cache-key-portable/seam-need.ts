import type { Need } from '../../src/runner/scenario.ts';
import { seamPath } from './ask.ts';
import { requestText } from './requests.ts';

/** The seam that every row of the suite asks; a plain request tells whether it is exposed. */
export const seamNeed: Need = { kind: 'seam', path: seamPath, body: requestText() };
