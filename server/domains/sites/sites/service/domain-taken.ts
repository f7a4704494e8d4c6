import { invalidCounted } from "@/server/core/errors";

/** The refusal of a domain that another site has. */
export const domainTaken = () => invalidCounted("domain", "domain_taken");
