import type { DocOperation } from "./types";

/** A page with the operations of one topic. */
export interface DocPage {
  /** Last path segment, such as `api-keys`. */
  slug: string;
  title: string;
  operations: DocOperation[];
}

/** Estimated characters of the operations on a page, so that it stays below 300 kB in every language. */
const PAGE_MAX = 52_000;

/**
 * Splits long topics: further pages with their operations. Other operations are on the page of their topic.
 */
const PARTS: Record<string, Record<string, readonly string[]>> = {
  "Sign-in": {
    "Identity providers": ["listIdentities", "startConnecting", "connectIdentity", "removeIdentity"],
  },
  "Second factor": {
    "Second factor set-up": [
      ...["startTotp", "confirmTotp", "enableEmailFactor", "startSms", "confirmSms", "removeFactor"],
      ...["renewRecoveryCodes", "getFactorDuty"],
    ],
  },
  Passkeys: {
    "Passkey set-up": ["passkeyRegisterOptions", "passkeyRegisterVerify", "renamePasskey", "deletePasskey"],
  },
  Profile: {
    "Phone and consents": ["getConsents", "changeConsents", "getPhone", "sendPhoneCode", "confirmPhone"],
    "Own data": ["requestExport", "getExport", "downloadExport", "listActivity"],
  },
  Sites: {
    "Site suspension and removal": ["suspendSite", "activateSite", "getSiteRemoval", "deleteSite"],
    "Site keys": [
      "getSiteKeys",
      "listSiteKeys",
      "getSiteKeysUse",
      "endPreviousKeys",
      "regenerateExternalKey",
    ],
  },
  Connections: {
    "Connection clean-up": [
      ...["listIdleConnections", "cleanConnections", "listCleanups", "getCleanup", "downloadCleanup"],
      "retryCleanup",
    ],
  },
  Webhooks: {
    "Webhook deliveries": [
      ...["testWebhook", "listWebhookDeliveries", "replayWebhookDelivery", "replayFailedDeliveries"],
    ],
  },
  Customers: {
    "Customer invitations": [
      ...[
        "listCustomerInvitations",
        "inviteCustomer",
        "resendCustomerInvitation",
        "cancelCustomerInvitation",
      ],
    ],
    "Customer imports": ["uploadImport", "listImports", "getImport", "mapImport", "runImport"],
  },
  Administration: {
    Accounts: ["listUsers", "downloadUsers", "changeUsers", "getAccount"],
    "Account changes": ["setUserRole", "setUserReseller", "setUserParent", "setUserStatus"],
    "Account access": ["signOutUser", "sendUserVerification", "sendUserPasswordMail", "unlockUser"],
  },
  Payments: {
    "Receipts and reversals": ["reversePayment", "uploadReceipt", "downloadReceipt"],
    "Payment lists": [
      ...["listSubscriptions", "downloadSubscriptions", "listPayments", "downloadPayments"],
      ...["listLicences", "downloadLicences"],
    ],
  },
  Accounting: {
    "Accounting decisions": ["resumeDocument", "putDocumentData", "skipDocument", "unskipDocument"],
  },
  Platform: {
    "Legal texts": ["listLegalTexts", "getLegalText", "previewLegalText", "publishLegalText"],
  },
};

/** Distributes operations to pages by topic, identically in every language. */
export function pagesOf(operations: readonly DocOperation[]): DocPage[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.flatMap((tag) => {
    const topicOperations = operations.filter((each) => each.tag === tag);
    const parts = Object.entries(PARTS[tag] ?? {});
    const movedIds = new Set(parts.flatMap(([, ids]) => ids));
    const remaining = topicOperations.filter(({ id }) => !movedIds.has(id));
    const named = parts.map(([title, ids]) => ({
      title,
      operations: topicOperations.filter(({ id }) => ids.includes(id)),
    }));
    return [{ title: tag, operations: remaining }, ...named].flatMap(splitPage);
  });
}

/** Splits a page that is too large into numbered pages. */
function splitPage({ title, operations }: Omit<DocPage, "slug">): DocPage[] {
  const count = Math.ceil(operations.reduce((sum, each) => sum + weightOf(each), 0) / PAGE_MAX);
  const perPage = Math.ceil(operations.length / Math.max(count, 1));
  return Array.from({ length: Math.ceil(operations.length / Math.max(perPage, 1)) }, (_, at) => ({
    slug: `${title.toLowerCase().replaceAll(" ", "-")}${at > 0 ? `-${at + 1}` : ""}`,
    title: at > 0 ? `${title} ${at + 1}` : title,
    operations: operations.slice(at * perPage, (at + 1) * perPage),
  }));
}

/** Estimates the characters of an operation's markup. */
function weightOf({ description, params, query, body, result, errors, call }: DocOperation): number {
  const fields = [params, query, body].flat().length * 210 + JSON.stringify(result).length * 0.8;
  const calls = JSON.stringify(call).length * 4 + 900;
  return 900 + (description?.length ?? 0) + fields + calls + errors.length * 700;
}
