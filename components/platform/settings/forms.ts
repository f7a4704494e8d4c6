import * as z from "zod";
import { getBodyFields, makeRequired } from "@/components/form/fields";
import { putSettings } from "@/server/domains/platform/settings/contract";

const fields = getBodyFields(putSettings).shape;

export const forms = {
  bank: { body: makeRequired(fields.bank) },
  vat: { body: z.object({ vat_rate: makeRequired(fields.vat_rate) }) },
  trial: {
    body: z.object({
      trial_days: makeRequired(fields.trial_days),
      trial_slots: makeRequired(fields.trial_slots),
    }),
  },
  consumer: {
    body: z.object({ final_consumer_tax_number: makeRequired(fields.final_consumer_tax_number) }),
  },
  resets: {
    body: z.object({
      factor_reset_delay_hours: makeRequired(fields.factor_reset_delay_hours),
      two_administrators: makeRequired(fields.two_administrators),
    }),
  },
  retention: {
    body: z.object({
      mail_retention_days: makeRequired(fields.mail_retention_days),
      audit_retention_days: makeRequired(fields.audit_retention_days),
      webhook_retention_days: makeRequired(fields.webhook_retention_days),
    }),
  },
  signUps: { body: z.object({ sign_up: makeRequired(fields.sign_up) }) },
  agreement: { body: z.object({ agreement_grace_days: makeRequired(fields.agreement_grace_days) }) },
  support: { body: makeRequired(fields.support_contact) },
  referral: { body: z.object({ referral_rate: makeRequired(fields.referral_rate) }) },
};

export const twoFactorForm = { body: makeRequired(fields.two_factor_duty).shape.user.unwrap() };
