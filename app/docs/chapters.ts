import type { DocOperation } from "./types";

export interface DocPage {
  /** Last path segment, such as `api-keys`. */
  slug: string;
  title: string;
  operations: DocOperation[];
}

/** Limit for the estimated characters of a page, so that it stays below 300 kB in every language. */
const MAX_PAGE_CHARACTERS = 52_000;

/** Extra pages, with their operations, of topics that are too long for one page. */
const SPLIT_TOPICS: Record<string, Record<string, readonly string[]>> = {
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
    "External keys": [
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

/** Distributes operations to pages by topic. The pages are the same in every language, so that links work. */
export function splitIntoPages(operations: readonly DocOperation[]): DocPage[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.flatMap((tag) => {
    const topicOperations = operations.filter((each) => each.tag === tag);
    const extraTopics = Object.entries(SPLIT_TOPICS[tag] ?? {});
    const movedIds = new Set(extraTopics.flatMap(([, ids]) => ids));
    const remainingOperations = topicOperations.filter(({ id }) => !movedIds.has(id));
    const extraPages = extraTopics.map(([title, ids]) => ({
      title,
      operations: topicOperations.filter(({ id }) => ids.includes(id)),
    }));
    return [{ title: tag, operations: remainingOperations }, ...extraPages].flatMap(splitPage);
  });
}

function splitPage({ title, operations }: Omit<DocPage, "slug">): DocPage[] {
  const pageCount = Math.ceil(
    operations.reduce((sum, each) => sum + estimateCharacters(each), 0) / MAX_PAGE_CHARACTERS,
  );
  const operationsPerPage = Math.ceil(operations.length / Math.max(pageCount, 1));
  return Array.from(
    { length: Math.ceil(operations.length / Math.max(operationsPerPage, 1)) },
    (_, index) => ({
      slug: `${title.toLowerCase().replaceAll(" ", "-")}${index > 0 ? `-${index + 1}` : ""}`,
      title: index > 0 ? `${title} ${index + 1}` : title,
      operations: operations.slice(index * operationsPerPage, (index + 1) * operationsPerPage),
    }),
  );
}

/** Estimates the characters of an operation with rough weights. chapters.test.ts checks the real sizes. */
function estimateCharacters({
  description,
  params,
  query,
  body,
  result,
  errors,
  call,
}: DocOperation): number {
  const fields = [params, query, body].flat().length * 210 + JSON.stringify(result).length * 0.8;
  const calls = JSON.stringify(call).length * 4 + 900;
  return 900 + (description?.length ?? 0) + fields + calls + errors.length * 700;
}
