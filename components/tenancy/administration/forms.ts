import { getBodyFields } from "@/components/form/fields";
import { explainAddress } from "@/server/domains/access/sign-in/contract";
import { completeSetup, signOutUser } from "@/server/domains/tenancy/administration/contract";

export const reasonForm = { body: getBodyFields(signOutUser).pick({ reason: true }) };

export const explainerForm = { body: explainAddress.query };

/** The password is typed once, and the token is in the URL. */
export const setupForm = {
  body: getBodyFields(completeSetup).omit({ token: true, password_confirmation: true }),
};
