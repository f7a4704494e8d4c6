import * as z from "zod";
import { fieldsOf, required } from "@/components/form/fields";
import { putSettings } from "@/server/domains/platform/settings/contract";

/* Form schemas, loaded when a form is used. */

const fields = fieldsOf(putSettings).shape;

export const forms = {
  bank: { body: required(fields.bank) },
  vat: { body: z.object({ vat_rate: required(fields.vat_rate) }) },
  consumer: { body: z.object({ final_consumer_tax_number: required(fields.final_consumer_tax_number) }) },
  resets: {
    body: z.object({
      factor_reset_delay_hours: required(fields.factor_reset_delay_hours),
      two_administrators: required(fields.two_administrators),
    }),
  },
  retention: {
    body: z.object({
      mail_retention_days: required(fields.mail_retention_days),
      audit_retention_days: required(fields.audit_retention_days),
      webhook_retention_days: required(fields.webhook_retention_days),
    }),
  },
  signUps: { body: z.object({ sign_up: required(fields.sign_up) }) },
  agreement: { body: z.object({ agreement_grace_days: required(fields.agreement_grace_days) }) },
  support: { body: required(fields.support_contact) },
  referral: { body: z.object({ referral_rate: required(fields.referral_rate) }) },
};

export const dutyForm = { body: required(fields.two_factor_duty).shape.user.unwrap() };
