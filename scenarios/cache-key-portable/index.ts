import type { Suite } from '../../src/runner/scenario.ts';
import { canonicalToolSchema } from './canonical-tool-schema.ts';
import { countedAtWitness } from './counted-at-witness.ts';
import { crossHostParity } from './cross-host-parity.ts';
import { deterministic } from './deterministic.ts';
import { everyLlmNode } from './every-llm-node.ts';
import { excludesNonRecipeFields } from './excludes-non-recipe-fields.ts';
import { excludesTransport } from './excludes-transport.ts';
import { includesRecipeFields } from './includes-recipe-fields.ts';
import { jcsKeyOrder } from './jcs-key-order.ts';
import { jcsNumbers } from './jcs-numbers.ts';
import { jcsStrings } from './jcs-strings.ts';
import { lowercaseHex } from './lowercase-hex.ts';
import { modelVerbatim } from './model-verbatim.ts';
import { notASecurityBoundary } from './not-a-security-boundary.ts';
import { omitsAbsent } from './omits-absent.ts';
import { preservesContentShape } from './preserves-content-shape.ts';
import { preservesMessageOrder } from './preserves-message-order.ts';
import { recipeObserved } from './recipe-observed.ts';
import { rejectsMalformed } from './rejects-malformed.ts';
import { rejectsNonJsonValues } from './rejects-non-json-values.ts';
import { reproducibleOffline } from './reproducible-offline.ts';
import { sortsTools } from './sorts-tools.ts';
import { diagnoses } from './diagnoses.ts';

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
  ],
  diagnoses,
  recipeObserved,
};
