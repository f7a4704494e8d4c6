import { listParsers } from "@/components/api/list-address";

/** The log as the address describes it; the same on the server and in the browser. */
export const auditParsers = listParsers(["at", "-at"], "-at");
