import type { Suite } from '../../src/runner/scenario.ts';
import { countedAtWitness } from './counted-at-witness.ts';
import { crossHostParity } from './cross-host-parity.ts';
import { deterministic } from './deterministic.ts';
import { diagnoses } from './diagnoses.ts';
import { everyLlmNode } from './every-llm-node.ts';
import { excludesNonRecipeFields, excludesTransport } from './exclusions.ts';
import { includesRecipeFields } from './includes-recipe-fields.ts';
import { lowercaseHex } from './lowercase-hex.ts';
import { nodesUseIt } from './nodes-use-it.ts';
import { notASecurityBoundary } from './not-a-security-boundary.ts';
import { recipeObserved } from './recipe-observed.ts';
import { rejectsNonJsonValues, rejectsMalformed } from './rejections.ts';
import { reproducibleOffline } from './reproducible-offline.ts';
import { jcsNumbers, jcsStrings, jcsKeyOrder } from './rows-of-jcs.ts';
import {
  omitsAbsent,
  sortsTools,
  canonicalToolSchema,
  preservesMessageOrder,
  preservesContentShape,
  modelVerbatim,
} from './rows-of-the-object.ts';

/** cache-key-portable: can another host, or an auditor without one, compute this host's LLM cache keys? */
export const cacheKeyPortable: Suite = {
  id: 'cache-key-portable',
  scenarios: [
    reproducibleOffline,
    lowercaseHex,
    deterministic,
    excludesNonRecipeFields,
    excludesTransport,
    includesRecipeFields,
    omitsAbsent,
    sortsTools,
    canonicalToolSchema,
    preservesMessageOrder,
    preservesContentShape,
    modelVerbatim,
    jcsNumbers,
    jcsStrings,
    jcsKeyOrder,
    rejectsNonJsonValues,
    rejectsMalformed,
    crossHostParity,
    notASecurityBoundary,
    countedAtWitness,
    everyLlmNode,
    nodesUseIt,
  ],
  diagnoses,
  recipeObserved,
};
