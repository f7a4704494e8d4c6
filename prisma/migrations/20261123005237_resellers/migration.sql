-- CreateEnum
CREATE TYPE "EarningState" AS ENUM ('earned', 'void');

-- AlterTable
ALTER TABLE "resellers" ADD COLUMN     "city" TEXT,
ADD COLUMN     "city_folded" TEXT,
ADD COLUMN     "display_folded" TEXT,
ADD COLUMN     "display_name" TEXT,
ADD COLUMN     "joined_at" TIMESTAMPTZ(3),
ADD COLUMN     "public_listing_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "referral_earnings" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "payment_id" INTEGER NOT NULL,
    "amount_minor" INTEGER NOT NULL,
    "rate_percent" INTEGER NOT NULL,
    "state" "EarningState" NOT NULL DEFAULT 'earned',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "referral_earnings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "legal_texts" (
    "key" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "required_from" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "legal_texts_pkey" PRIMARY KEY ("key","version","locale")
);

-- CreateTable
CREATE TABLE "agreement_signatures" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "text_hash" BYTEA NOT NULL,
    "typed_name" TEXT NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,
    "prev_hash" BYTEA,
    "hash" BYTEA NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agreement_signatures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agreement_heads" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "count" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "mac" BYTEA NOT NULL,

    CONSTRAINT "agreement_heads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customer_notes" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customer_invitations" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "phone" TEXT,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "customer_invitations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "referral_earnings_payment_id_key" ON "referral_earnings"("payment_id");

-- CreateIndex
CREATE INDEX "referral_earnings_reseller_id_id_idx" ON "referral_earnings"("reseller_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agreement_signatures_reseller_id_version_key" ON "agreement_signatures"("reseller_id", "version");

-- CreateIndex
CREATE INDEX "customer_notes_reseller_id_customer_id_id_idx" ON "customer_notes"("reseller_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "customer_notes_customer_id_idx" ON "customer_notes"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "customer_invitations_token_hash_key" ON "customer_invitations"("token_hash");

-- CreateIndex
CREATE INDEX "customer_invitations_reseller_id_id_idx" ON "customer_invitations"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "customer_invitations_email_key_idx" ON "customer_invitations"("email_key");

-- AddForeignKey
ALTER TABLE "referral_earnings" ADD CONSTRAINT "referral_earnings_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral_earnings" ADD CONSTRAINT "referral_earnings_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agreement_signatures" ADD CONSTRAINT "agreement_signatures_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_invitations" ADD CONSTRAINT "customer_invitations_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever is listed has joined, and has a name and a city.
ALTER TABLE "resellers"
  ADD CONSTRAINT "resellers_listing_check" CHECK ("public_listing_at" IS NULL
    OR ("joined_at" IS NOT NULL AND "display_name" IS NOT NULL AND "display_folded" IS NOT NULL
        AND "city" IS NOT NULL AND "city_folded" IS NOT NULL));
ALTER TABLE "referral_earnings"
  ADD CONSTRAINT "referral_earnings_amount_check" CHECK ("amount_minor" > 0 AND "rate_percent" BETWEEN 1 AND 100);

-- The few who are listed, in the order in which they are read.
CREATE INDEX "resellers_listed_idx" ON "resellers"("display_folded", "referral_code") WHERE "public_listing_at" IS NOT NULL;
