import { domain } from "@/server/core/domain";
import { proofErrors } from "./errors";

export const proof = domain({ errors: proofErrors });
