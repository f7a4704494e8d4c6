import * as z from "zod";
import { fieldsOf, required } from "@/components/form/fields";
import { putSettings } from "@/server/domains/platform/settings/contract";

/* Rules of the forms here, loaded when somebody fills one in. Each setting has a form of its own. */

const fields = fieldsOf(putSettings).shape;

export const bankForm = { body: required(fields.bank) };
export const vatForm = { body: z.object({ vat_rate: required(fields.vat_rate) }) };
export const consumerForm = {
  body: z.object({ final_consumer_tax_number: required(fields.final_consumer_tax_number) }),
};
export const resetsForm = {
  body: z.object({
    factor_reset_delay_hours: required(fields.factor_reset_delay_hours),
    two_administrators: required(fields.two_administrators),
  }),
};
export const retentionForm = {
  body: z.object({
    mail_retention_days: required(fields.mail_retention_days),
    audit_retention_days: required(fields.audit_retention_days),
    webhook_retention_days: required(fields.webhook_retention_days),
  }),
};
export const signUpsForm = { body: z.object({ sign_up: required(fields.sign_up) }) };
export const agreementForm = {
  body: z.object({ agreement_grace_days: required(fields.agreement_grace_days) }),
};
export const supportForm = { body: required(fields.support_contact) };
/** One group of people; of all groups alike. */
export const dutyForm = { body: required(fields.two_factor_duty).shape.user.unwrap() };
export const referralForm = { body: z.object({ referral_rate: required(fields.referral_rate) }) };
