import type { Mutant } from './mutant.ts';
import { replayDeterminismMutants } from './replay-determinism/index.ts';
import { observableSequenceMutants } from './observable-sequence/index.ts';
import { discoveryBehindCredentials } from './discovery-behind-credentials.ts';
import { discoveryNotFound } from './discovery-not-found.ts';
import { discoveryRedirected } from './discovery-redirected.ts';
import { discoveryAsHtml } from './discovery-as-html.ts';
import { discoveryAsList } from './discovery-as-list.ts';
import { discoveryAcceptedNotOk } from './discovery-accepted-not-ok.ts';
import { discoveryWithoutLimits } from './discovery-without-limits.ts';
import { discoveryWithoutProtocolVersion } from './discovery-without-protocol-version.ts';
import { discoveryLimitAsText } from './discovery-limit-as-text.ts';
import { discoveryModesAsText } from './discovery-modes-as-text.ts';
import { discoveryVersionAsText } from './discovery-version-as-text.ts';
import { discoveryVersionZero } from './discovery-version-zero.ts';
import { discoveryVersionFractional } from './discovery-version-fractional.ts';
import { discoveryModelSupportedAsText } from './discovery-model-supported-as-text.ts';
import { discoveryModelSupportedMissing } from './discovery-model-supported-missing.ts';
import { discoveryReplayDeterminismOpen } from './discovery-replay-determinism-open.ts';
import { discoveryReplaySupportedMissing } from './discovery-replay-supported-missing.ts';
import { discoveryReplaySupportedAsText } from './discovery-replay-supported-as-text.ts';
import { discoveryReplayDeterminismAsFlag } from './discovery-replay-determinism-as-flag.ts';
import { discoveryRecipeMisnamed } from './discovery-recipe-misnamed.ts';
import { discoveryRecipeUpperCase } from './discovery-recipe-upper-case.ts';
import { discoveryRecipeNotText } from './discovery-recipe-not-text.ts';
import { discoveryWithoutRefusalEmission } from './discovery-without-refusal-emission.ts';
import { discoveryRefusalEmissionFalse } from './discovery-refusal-emission-false.ts';
import { discoveryWithoutRecipe } from './discovery-without-recipe.ts';
import { discoveryWithoutReplayDeterminism } from './discovery-without-replay-determinism.ts';
import { discoveryReplayUnsupported } from './discovery-replay-unsupported.ts';
import { discoveryVendorRecipeUndocumented } from './discovery-vendor-recipe-undocumented.ts';
import { keyNullPlaceholders } from './key-null-placeholders.ts';
import { keyDefaultsFilled } from './key-defaults-filled.ts';
import { keySamplingOmitted } from './key-sampling-omitted.ts';
import { keyToolsOmitted } from './key-tools-omitted.ts';
import { keyResponseFormatOmitted } from './key-response-format-omitted.ts';
import { keyExtraFieldIncluded } from './key-extra-field-included.ts';
import { keyInsertionOrder } from './key-insertion-order.ts';
import { keyShallowSort } from './key-shallow-sort.ts';
import { keyArraysSorted } from './key-arrays-sorted.ts';
import { keyMessagesReordered } from './key-messages-reordered.ts';
import { keyToolsUnsorted } from './key-tools-unsorted.ts';
import { keyToolsLocaleSorted } from './key-tools-locale-sorted.ts';
import { keyLastMessageOnly } from './key-last-message-only.ts';
import { keySystemIgnored } from './key-system-ignored.ts';
import { keyProviderOmitted } from './key-provider-omitted.ts';
import { keyModelCaseFolded } from './key-model-case-folded.ts';
import { keyContentCoalesced } from './key-content-coalesced.ts';
import { keyContentTrimmed } from './key-content-trimmed.ts';
import { keyNfcApplied } from './key-nfc-applied.ts';
import { keyNumberText } from './key-number-text.ts';
import { keyNegativeZero } from './key-negative-zero.ts';
import { keyAsciiEscaped } from './key-ascii-escaped.ts';
import { keyHtmlEscaped } from './key-html-escaped.ts';
import { keyCodePointOrder } from './key-code-point-order.ts';
import { keyIntegerKeysFirst } from './key-integer-keys-first.ts';
import { keyProtoKeyDropped } from './key-proto-key-dropped.ts';
import { keyUtf8Replacement } from './key-utf8-replacement.ts';
import { keyUppercaseHex } from './key-uppercase-hex.ts';
import { keyBase64 } from './key-base64.ts';
import { keyTruncated } from './key-truncated.ts';
import { keyAlgorithmPrefix } from './key-algorithm-prefix.ts';
import { keyTrailingNewline } from './key-trailing-newline.ts';
import { keyTenantInKey } from './key-tenant-in-key.ts';
import { keyRequestIdInKey } from './key-request-id-in-key.ts';
import { keySalted } from './key-salted.ts';
import { keyRecipeRfc0150 } from './key-recipe-rfc-0150.ts';
import { keyRecipeNullForm } from './key-recipe-null-form.ts';
import { extraMembersAllIncluded } from './extra-members-all-included.ts';
import { maxTokensIncluded } from './max-tokens-included.ts';
import { userIncluded } from './user-included.ts';
import { metadataIncluded } from './metadata-included.ts';
import { streamIncluded } from './stream-included.ts';
import { stopIncluded } from './stop-included.ts';
import { zeroSamplingOmitted } from './zero-sampling-omitted.ts';
import { messageNameOmitted } from './message-name-omitted.ts';
import { toolCallIdOmitted } from './tool-call-id-omitted.ts';
import { roleOmitted } from './role-omitted.ts';
import { modelOmitted } from './model-omitted.ts';
import { toolParametersOmitted } from './tool-parameters-omitted.ts';
import { toolDescriptionsOmitted } from './tool-descriptions-omitted.ts';
import { responseSchemaOmitted } from './response-schema-omitted.ts';
import { toolSchemaUnsorted } from './tool-schema-unsorted.ts';
import { toolsSortedDownwards } from './tools-sorted-downwards.ts';
import { singleBlockUnwrapped } from './single-block-unwrapped.ts';
import { modelTrimmed } from './model-trimmed.ts';
import { numbersAsFloat32 } from './numbers-as-float32.ts';
import { slashEscaped } from './slash-escaped.ts';
import { lineEndAfterKey } from './line-end-after-key.ts';
import { counterInKey } from './counter-in-key.ts';
import { clockInKey } from './clock-in-key.ts';
import { toolsPresentWhenEmpty } from './tools-present-when-empty.ts';
import { nullTemperaturePresent } from './null-temperature-present.ts';
import { cookieInKey } from './cookie-in-key.ts';
import { userAgentInKey } from './user-agent-in-key.ts';
import { traceparentInKey } from './traceparent-in-key.ts';
import { credentialInKey } from './credential-in-key.ts';
import { outOfRangeNumberAccepted } from './out-of-range-number-accepted.ts';
import { malformedRequestAccepted } from './malformed-request-accepted.ts';
import { malformedRequestFails } from './malformed-request-fails.ts';
import { providerResponsesSharedAcrossTenants } from './provider-responses-shared-across-tenants.ts';
import { cacheSharedAcrossTenants } from './cache-shared-across-tenants.ts';
import { replayAsksAgain } from './replay-asks-again.ts';
import { replayAsksPlainNodes } from './replay-asks-plain-nodes.ts';
import { replayAsksIdempotentNodes } from './replay-asks-idempotent-nodes.ts';
import { replayAsksChat } from './replay-asks-chat.ts';
import { replayAsksToolCalling } from './replay-asks-tool-calling.ts';
import { replayAsksStructuredOutput } from './replay-asks-structured-output.ts';
import { connectionInKey } from './connection-in-key.ts';
import { tenantHeaderInKey } from './tenant-header-in-key.ts';
import { correlationIdInKey } from './correlation-id-in-key.ts';
import { idempotencyKeyInKey } from './idempotency-key-in-key.ts';
import { languageInKey } from './language-in-key.ts';
import { tracestateInKey } from './tracestate-in-key.ts';
import { rawBodyHashed } from './raw-body-hashed.ts';
import { sameKeyForEverything } from './same-key-for-everything.ts';
import { changesWhenAskedAgain } from './changes-when-asked-again.ts';
import { namesLocaleSorted } from './names-locale-sorted.ts';
import { sortStopsAtDepth } from './sort-stops-at-depth.ts';
import { nullsStripped } from './nulls-stripped.ts';
import { emptyMessagesDropped } from './empty-messages-dropped.ts';
import { textFormatOmitted } from './text-format-omitted.ts';
import { defaultTemperatureOmitted } from './default-temperature-omitted.ts';
import { blockMembersDropped } from './block-members-dropped.ts';
import { sameRoleMessagesMerged } from './same-role-messages-merged.ts';
import { systemMessageFirst } from './system-message-first.ts';
import { whiteSpaceInText } from './white-space-in-text.ts';
import { otherHash } from './other-hash.ts';
import { latin1Hashed } from './latin-1-hashed.ts';
import { numbersWithoutExponent } from './numbers-without-exponent.ts';
import { deleteEscaped } from './delete-escaped.ts';
import { lineSeparatorsEscaped } from './line-separators-escaped.ts';
import { malformedRequestAnsweredOk } from './malformed-request-answered-ok.ts';
import { messagesNotNeeded } from './messages-not-needed.ts';
import { toolsSortedByBytes } from './tools-sorted-by-bytes.ts';
import { toolsComparedNormalised } from './tools-compared-normalised.ts';
import { integersInFull } from './integers-in-full.ts';
import { atMostOnceMutants } from './at-most-once/index.ts';
import { handoffStateMachineMutants } from './handoff-state-machine/index.ts';
import { forkContractMutants } from './fork-contract/index.ts';
import { replayGovernanceMutants } from './replay-governance/index.ts';
import { REFUSAL_DIVERGENCE } from './refusal-divergence/index.ts';

/** All mutants, grouped by the suite that kills them. */
export const MUTANTS: readonly Mutant[] = [
  discoveryBehindCredentials,
  discoveryNotFound,
  discoveryRedirected,
  discoveryAsHtml,
  discoveryAsList,
  discoveryAcceptedNotOk,
  discoveryWithoutLimits,
  discoveryWithoutProtocolVersion,
  discoveryLimitAsText,
  discoveryModesAsText,
  discoveryVersionAsText,
  discoveryVersionZero,
  discoveryVersionFractional,
  discoveryModelSupportedAsText,
  discoveryModelSupportedMissing,
  discoveryReplayDeterminismOpen,
  discoveryReplaySupportedMissing,
  discoveryReplaySupportedAsText,
  discoveryReplayDeterminismAsFlag,
  discoveryRecipeMisnamed,
  discoveryRecipeUpperCase,
  discoveryRecipeNotText,
  discoveryWithoutRefusalEmission,
  discoveryRefusalEmissionFalse,
  discoveryWithoutRecipe,
  discoveryWithoutReplayDeterminism,
  discoveryReplayUnsupported,
  discoveryVendorRecipeUndocumented,
  keyNullPlaceholders,
  keyDefaultsFilled,
  keySamplingOmitted,
  keyToolsOmitted,
  keyResponseFormatOmitted,
  keyExtraFieldIncluded,
  keyInsertionOrder,
  keyShallowSort,
  keyArraysSorted,
  keyMessagesReordered,
  keyToolsUnsorted,
  keyToolsLocaleSorted,
  keyLastMessageOnly,
  keySystemIgnored,
  keyProviderOmitted,
  keyModelCaseFolded,
  keyContentCoalesced,
  keyContentTrimmed,
  keyNfcApplied,
  keyNumberText,
  keyNegativeZero,
  keyAsciiEscaped,
  keyHtmlEscaped,
  keyCodePointOrder,
  keyIntegerKeysFirst,
  keyProtoKeyDropped,
  keyUtf8Replacement,
  keyUppercaseHex,
  keyBase64,
  keyTruncated,
  keyAlgorithmPrefix,
  keyTrailingNewline,
  keyTenantInKey,
  keyRequestIdInKey,
  keySalted,
  keyRecipeRfc0150,
  keyRecipeNullForm,
  extraMembersAllIncluded,
  maxTokensIncluded,
  userIncluded,
  metadataIncluded,
  streamIncluded,
  stopIncluded,
  zeroSamplingOmitted,
  messageNameOmitted,
  toolCallIdOmitted,
  roleOmitted,
  modelOmitted,
  toolParametersOmitted,
  toolDescriptionsOmitted,
  responseSchemaOmitted,
  toolSchemaUnsorted,
  toolsSortedDownwards,
  singleBlockUnwrapped,
  modelTrimmed,
  numbersAsFloat32,
  slashEscaped,
  lineEndAfterKey,
  counterInKey,
  clockInKey,
  toolsPresentWhenEmpty,
  nullTemperaturePresent,
  cookieInKey,
  userAgentInKey,
  traceparentInKey,
  credentialInKey,
  outOfRangeNumberAccepted,
  malformedRequestAccepted,
  malformedRequestFails,
  cacheSharedAcrossTenants,
  providerResponsesSharedAcrossTenants,
  replayAsksAgain,
  replayAsksPlainNodes,
  replayAsksIdempotentNodes,
  replayAsksChat,
  replayAsksToolCalling,
  replayAsksStructuredOutput,
  connectionInKey,
  tenantHeaderInKey,
  correlationIdInKey,
  idempotencyKeyInKey,
  languageInKey,
  tracestateInKey,
  rawBodyHashed,
  sameKeyForEverything,
  changesWhenAskedAgain,
  namesLocaleSorted,
  sortStopsAtDepth,
  nullsStripped,
  emptyMessagesDropped,
  textFormatOmitted,
  defaultTemperatureOmitted,
  blockMembersDropped,
  sameRoleMessagesMerged,
  systemMessageFirst,
  whiteSpaceInText,
  otherHash,
  latin1Hashed,
  numbersWithoutExponent,
  deleteEscaped,
  lineSeparatorsEscaped,
  malformedRequestAnsweredOk,
  messagesNotNeeded,
  toolsSortedByBytes,
  toolsComparedNormalised,
  integersInFull,
  ...forkContractMutants,
  ...handoffStateMachineMutants,
  ...replayDeterminismMutants,
  ...REFUSAL_DIVERGENCE,
  ...observableSequenceMutants,
  ...atMostOnceMutants,
  ...replayGovernanceMutants,
];
