-- What a customer writes on a bank transfer: a letter, seven digits that no other one has, and a check digit (Luhn).
CREATE SEQUENCE "bank_references" AS integer MAXVALUE 9999999 CYCLE;
CREATE FUNCTION bank_reference(prefix text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  -- Neighbours look unlike: the factor shares no divisor with ten million, so that each number comes once.
  digits text := lpad(((nextval('bank_references') * 7368787 + 1234567) % 10000000)::text, 7, '0');
  total int := 0;
  digit int;
BEGIN
  FOR place IN 1..7 LOOP
    digit := substr(digits, place, 1)::int * (1 + place % 2);
    total := total + digit / 10 + digit % 10;
  END LOOP;
  RETURN prefix || digits || (10 - total % 10) % 10;
END $$;

-- CreateEnum
CREATE TYPE "PaymentState" AS ENUM ('recorded', 'reversed');

-- CreateEnum
CREATE TYPE "DocumentState" AS ENUM ('queued', 'skipped', 'cancelled');

-- CreateEnum
CREATE TYPE "SuspensionReason" AS ENUM ('owner', 'licence_unpaid', 'subscription_ended', 'administrator');

-- DropIndex
DROP INDEX "site_licences_site_id_key";

-- AlterTable
ALTER TABLE "subscription_plans" ADD COLUMN     "eligible" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "texts" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "activated_by_id" INTEGER,
ADD COLUMN     "closed_reason" TEXT,
ADD COLUMN     "currency" TEXT NOT NULL DEFAULT 'TRY',
ADD COLUMN     "monthly_credits" INTEGER,
ADD COLUMN     "plan_name" TEXT,
ADD COLUMN     "price_minor" INTEGER,
ADD COLUMN     "reference" TEXT NOT NULL DEFAULT bank_reference('T'),
ADD COLUMN     "renews_id" INTEGER,
ADD COLUMN     "used_slots" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "cc_address" TEXT;

-- AlterTable
ALTER TABLE "sites" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_reason" "SuspensionReason";

-- AlterTable
ALTER TABLE "site_licences" ADD COLUMN     "absorbed_by_id" INTEGER,
ADD COLUMN     "closed_reason" TEXT,
ADD COLUMN     "paid_at" TIMESTAMPTZ(3),
ADD COLUMN     "reference" TEXT NOT NULL DEFAULT bank_reference('L');

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "user_id" INTEGER NOT NULL,
    "credential" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "input_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "response_sealed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id","credential","operation","key")
);

-- CreateTable
CREATE TABLE "subscription_notices" (
    "subscription_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscription_notices_pkey" PRIMARY KEY ("subscription_id","kind")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "method" TEXT NOT NULL DEFAULT 'manual_transfer',
    "state" "PaymentState" NOT NULL DEFAULT 'recorded',
    "amount_minor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'TRY',
    "paid_at" DATE NOT NULL,
    "bank_reference" TEXT,
    "note" TEXT,
    "subscription_id" INTEGER,
    "licence_id" INTEGER,
    "bill_to_sealed" BYTEA NOT NULL,
    "receipt_key" TEXT,
    "recorded_by_id" INTEGER,
    "reversed_by_id" INTEGER,
    "reversed_at" TIMESTAMPTZ(3),
    "reverse_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_profiles" (
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "tax_sealed" BYTEA,
    "tax_last_four" TEXT,
    "tax_office" TEXT,
    "address" TEXT,
    "district" TEXT,
    "city" TEXT,
    "country" TEXT NOT NULL DEFAULT 'TR',
    "email" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "billing_profiles_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "accounting_documents" (
    "id" SERIAL NOT NULL,
    "payment_id" INTEGER NOT NULL,
    "state" "DocumentState" NOT NULL,
    "gross_minor" INTEGER NOT NULL,
    "net_minor" INTEGER NOT NULL,
    "vat_minor" INTEGER NOT NULL,
    "vat_rate" INTEGER NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'TRY',
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "skipped_by_id" INTEGER,
    "skipped_at" TIMESTAMPTZ(3),
    "skip_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounting_documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_by_id" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "licence_notices" (
    "licence_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "licence_notices_pkey" PRIMARY KEY ("licence_id","kind")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "payments_user_id_id_idx" ON "payments"("user_id", "id");

-- CreateIndex
CREATE INDEX "payments_paid_at_idx" ON "payments"("paid_at");

-- CreateIndex
CREATE INDEX "payments_bank_reference_idx" ON "payments"("bank_reference");

-- CreateIndex
CREATE INDEX "payments_subscription_id_idx" ON "payments"("subscription_id");

-- CreateIndex
CREATE INDEX "payments_licence_id_idx" ON "payments"("licence_id");

-- CreateIndex
CREATE INDEX "payments_recorded_by_id_idx" ON "payments"("recorded_by_id");

-- CreateIndex
CREATE INDEX "payments_reversed_by_id_idx" ON "payments"("reversed_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounting_documents_payment_id_key" ON "accounting_documents"("payment_id");

-- CreateIndex
CREATE INDEX "accounting_documents_state_id_idx" ON "accounting_documents"("state", "id");

-- CreateIndex
CREATE INDEX "accounting_documents_deadline_at_idx" ON "accounting_documents"("deadline_at");

-- CreateIndex
CREATE INDEX "accounting_documents_skipped_by_id_idx" ON "accounting_documents"("skipped_by_id");

-- CreateIndex
CREATE INDEX "settings_updated_by_id_idx" ON "settings"("updated_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_reference_key" ON "subscriptions"("reference");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_renews_id_key" ON "subscriptions"("renews_id");

-- CreateIndex
CREATE INDEX "subscriptions_status_ends_at_idx" ON "subscriptions"("status", "ends_at");

-- CreateIndex
CREATE INDEX "subscriptions_activated_by_id_idx" ON "subscriptions"("activated_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "site_licences_reference_key" ON "site_licences"("reference");

-- CreateIndex
CREATE INDEX "site_licences_site_id_idx" ON "site_licences"("site_id");

-- CreateIndex
CREATE INDEX "site_licences_status_period_end_idx" ON "site_licences"("status", "period_end");

-- CreateIndex
CREATE INDEX "site_licences_absorbed_by_id_idx" ON "site_licences"("absorbed_by_id");

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_renews_id_fkey" FOREIGN KEY ("renews_id") REFERENCES "subscriptions"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_activated_by_id_fkey" FOREIGN KEY ("activated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_notices" ADD CONSTRAINT "subscription_notices_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_licence_id_fkey" FOREIGN KEY ("licence_id") REFERENCES "site_licences"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_recorded_by_id_fkey" FOREIGN KEY ("recorded_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_reversed_by_id_fkey" FOREIGN KEY ("reversed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_profiles" ADD CONSTRAINT "billing_profiles_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounting_documents" ADD CONSTRAINT "accounting_documents_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounting_documents" ADD CONSTRAINT "accounting_documents_skipped_by_id_fkey" FOREIGN KEY ("skipped_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settings" ADD CONSTRAINT "settings_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_licences" ADD CONSTRAINT "site_licences_absorbed_by_id_fkey" FOREIGN KEY ("absorbed_by_id") REFERENCES "subscriptions"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "licence_notices" ADD CONSTRAINT "licence_notices_licence_id_fkey" FOREIGN KEY ("licence_id") REFERENCES "site_licences"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The terms of what was bought before are those of its plan today.
UPDATE "subscriptions" s
   SET "plan_name" = p."name", "price_minor" = p."price" * 100, "currency" = p."currency", "monthly_credits" = p."monthly_credits"
  FROM "subscription_plans" p WHERE p."id" = s."plan_id";
ALTER TABLE "subscriptions"
  ALTER COLUMN "monthly_credits" SET NOT NULL, ALTER COLUMN "plan_name" SET NOT NULL, ALTER COLUMN "price_minor" SET NOT NULL;

-- The database counts the slots that are taken: more than there are cannot be, whatever a program does.
UPDATE "subscriptions" s SET "used_slots" = taken."count"
  FROM (SELECT "subscription_id", count(*)::int AS "count" FROM "sites" GROUP BY 1) taken
 WHERE taken."subscription_id" = s."id";
UPDATE "subscriptions" SET "site_slots" = "used_slots" WHERE "used_slots" > "site_slots";
ALTER TABLE "subscriptions"
  ADD CONSTRAINT "subscriptions_slots_check" CHECK ("used_slots" BETWEEN 0 AND "site_slots"),
  ADD CONSTRAINT "subscriptions_period_check" CHECK ("ends_at" > "starts_at");
CREATE FUNCTION count_used_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.subscription_id IS NOT NULL THEN
    UPDATE subscriptions SET used_slots = used_slots - 1 WHERE id = OLD.subscription_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.subscription_id IS NOT NULL THEN
    UPDATE subscriptions SET used_slots = used_slots + 1 WHERE id = NEW.subscription_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "sites_take_slot" AFTER INSERT ON "sites"
  FOR EACH ROW WHEN (NEW.subscription_id IS NOT NULL) EXECUTE FUNCTION count_used_slots();
CREATE TRIGGER "sites_move_slot" AFTER UPDATE OF "subscription_id" ON "sites"
  FOR EACH ROW WHEN (OLD.subscription_id IS DISTINCT FROM NEW.subscription_id) EXECUTE FUNCTION count_used_slots();
CREATE TRIGGER "sites_leave_slot" AFTER DELETE ON "sites"
  FOR EACH ROW WHEN (OLD.subscription_id IS NOT NULL) EXECUTE FUNCTION count_used_slots();

-- Why a site is suspended. Until now only unpaid licences and the end of an account suspended one.
UPDATE "sites" SET "suspended_reason" = 'owner' WHERE NOT "is_active";
UPDATE "sites" s SET "suspended_reason" = 'licence_unpaid'
  FROM "site_licences" l WHERE l."site_id" = s."id" AND l."status" = 'pending' AND NOT s."is_active";
UPDATE "sites" s SET "deleted_at" = u."anonymised_at"
  FROM "users" u WHERE u."id" = s."user_id" AND u."anonymised_at" IS NOT NULL AND s."domain" = 'deleted-' || s."id" || '.invalid';
ALTER TABLE "sites"
  ADD CONSTRAINT "sites_suspension_check" CHECK ("is_active" = ("suspended_reason" IS NULL)),
  ADD CONSTRAINT "sites_deletion_check" CHECK ("deleted_at" IS NULL OR NOT "is_active");

-- A site has one licence that runs or waits for its payment; the others are its past.
CREATE UNIQUE INDEX "site_licences_open_key" ON "site_licences"("site_id") WHERE "status" IN ('pending', 'active');

ALTER TABLE "payments"
  ADD CONSTRAINT "payments_purpose_check" CHECK (num_nonnulls("subscription_id", "licence_id") = 1),
  ADD CONSTRAINT "payments_amount_check" CHECK ("amount_minor" > 0),
  ADD CONSTRAINT "payments_reversal_check" CHECK (("state" = 'reversed') = ("reversed_at" IS NOT NULL));
ALTER TABLE "accounting_documents"
  ADD CONSTRAINT "accounting_documents_sum_check" CHECK ("net_minor" + "vat_minor" = "gross_minor"),
  ADD CONSTRAINT "accounting_documents_skip_check" CHECK (("state" = 'skipped') = ("skipped_at" IS NOT NULL));
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_balance_check" CHECK ("balance" >= 0);

-- The release before this one writes neither the terms of a subscription nor why a site is suspended.
CREATE FUNCTION take_terms_of_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(NEW.plan_name, name), coalesce(NEW.price_minor, price * 100), coalesce(NEW.monthly_credits, monthly_credits)
    INTO NEW.plan_name, NEW.price_minor, NEW.monthly_credits
    FROM subscription_plans WHERE id = NEW.plan_id;
  RETURN NEW;
END $$;
CREATE TRIGGER "subscriptions_take_terms" BEFORE INSERT ON "subscriptions"
  FOR EACH ROW WHEN (num_nulls(NEW.plan_name, NEW.price_minor, NEW.monthly_credits) > 0) EXECUTE FUNCTION take_terms_of_plan();
CREATE FUNCTION give_suspension_reason() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.suspended_reason := CASE
    WHEN NEW.is_active THEN NULL
    WHEN EXISTS (SELECT FROM site_licences WHERE site_id = NEW.id AND status = 'pending' AND pay_by < now()) THEN 'licence_unpaid'
    ELSE 'owner' END;
  RETURN NEW;
END $$;
CREATE TRIGGER "sites_give_reason" BEFORE INSERT OR UPDATE OF "is_active" ON "sites"
  FOR EACH ROW WHEN (NEW.is_active <> (NEW.suspended_reason IS NULL)) EXECUTE FUNCTION give_suspension_reason();
