-- CreateEnum
CREATE TYPE "Channel" AS ENUM ('whatsapp', 'whatsapp_qr', 'telegram', 'instagram', 'messenger', 'email', 'web_chat', 'sms', 'voice');

-- CreateEnum
CREATE TYPE "ConnectionType" AS ENUM ('cloud_api', 'evolution', 'bot', 'oauth', 'imap', 'widget', 'twilio', 'sip');

-- CreateEnum
CREATE TYPE "ConnectionHealth" AS ENUM ('unknown', 'ok', 'unreachable', 'dead');

-- CreateEnum
CREATE TYPE "CleanupState" AS ENUM ('none', 'running', 'failed');

-- CreateEnum
CREATE TYPE "CleanupCause" AS ENUM ('asked', 'site_deleted');

-- CreateEnum
CREATE TYPE "CleanupItemState" AS ENUM ('queued', 'running', 'ok', 'failed', 'refused');

-- CreateTable
CREATE TABLE "sandbox_records" (
    "party" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,

    CONSTRAINT "sandbox_records_pkey" PRIMARY KEY ("party","key")
);

-- CreateTable
CREATE TABLE "connections" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "channel" "Channel" NOT NULL,
    "connection_type" "ConnectionType" NOT NULL,
    "label" TEXT NOT NULL,
    "remote_key" TEXT NOT NULL,
    "account_key" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    "secret_sealed" BYTEA,
    "secret_last_four" TEXT,
    "hook_hash" BYTEA,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "health" "ConnectionHealth" NOT NULL DEFAULT 'unknown',
    "dead_seen_at" TIMESTAMPTZ(3),
    "token_dead_at" TIMESTAMPTZ(3),
    "last_ok_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cleanup" "CleanupState" NOT NULL DEFAULT 'none',
    "shared_due" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connection_sites" (
    "connection_id" INTEGER NOT NULL,
    "site_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connection_sites_pkey" PRIMARY KEY ("connection_id","site_id")
);

-- CreateTable
CREATE TABLE "cleanup_runs" (
    "id" TEXT NOT NULL,
    "asked_by_id" INTEGER,
    "cause" "CleanupCause" NOT NULL DEFAULT 'asked',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "cleanup_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cleanup_items" (
    "id" SERIAL NOT NULL,
    "run_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "channel" TEXT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "owner_id" INTEGER,
    "label" TEXT NOT NULL DEFAULT '',
    "state" "CleanupItemState" NOT NULL,
    "reason" TEXT,
    "token_dead" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claimed_at" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "cleanup_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cleanup_calls" (
    "id" SERIAL NOT NULL,
    "item_id" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "call" TEXT NOT NULL,
    "status" INTEGER,
    "code" TEXT,
    "outcome" TEXT NOT NULL,
    "ms" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cleanup_calls_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "connections_hook_hash_key" ON "connections"("hook_hash");

-- CreateIndex
CREATE INDEX "connections_user_id_id_idx" ON "connections"("user_id", "id");

-- CreateIndex
CREATE INDEX "connections_channel_account_key_idx" ON "connections"("channel", "account_key");

-- CreateIndex
CREATE INDEX "connections_next_check_at_idx" ON "connections"("next_check_at");

-- CreateIndex
CREATE UNIQUE INDEX "connections_channel_remote_key_key" ON "connections"("channel", "remote_key");

-- CreateIndex
CREATE INDEX "connection_sites_site_id_idx" ON "connection_sites"("site_id");

-- CreateIndex
CREATE INDEX "cleanup_runs_asked_by_id_idx" ON "cleanup_runs"("asked_by_id");

-- CreateIndex
CREATE INDEX "cleanup_items_connection_id_idx" ON "cleanup_items"("connection_id");

-- CreateIndex
CREATE INDEX "cleanup_items_owner_id_idx" ON "cleanup_items"("owner_id");

-- CreateIndex
CREATE INDEX "cleanup_items_state_next_at_idx" ON "cleanup_items"("state", "next_at");

-- CreateIndex
CREATE UNIQUE INDEX "cleanup_items_run_id_position_key" ON "cleanup_items"("run_id", "position");

-- CreateIndex
CREATE INDEX "cleanup_calls_item_id_idx" ON "cleanup_calls"("item_id");

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_sites" ADD CONSTRAINT "connection_sites_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_sites" ADD CONSTRAINT "connection_sites_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cleanup_runs" ADD CONSTRAINT "cleanup_runs_asked_by_id_fkey" FOREIGN KEY ("asked_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cleanup_items" ADD CONSTRAINT "cleanup_items_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "cleanup_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cleanup_items" ADD CONSTRAINT "cleanup_items_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cleanup_calls" ADD CONSTRAINT "cleanup_calls_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "cleanup_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A channel is served by parties of its own kind only.
ALTER TABLE "connections" ADD CONSTRAINT "connections_type_check" CHECK (("channel", "connection_type") IN (
  ('whatsapp', 'cloud_api'), ('whatsapp_qr', 'evolution'), ('telegram', 'bot'), ('instagram', 'oauth'),
  ('messenger', 'oauth'), ('email', 'imap'), ('web_chat', 'widget'), ('sms', 'twilio'), ('voice', 'twilio'),
  ('voice', 'sip')));
-- A token that is dead has a moment since which it is.
ALTER TABLE "connections" ADD CONSTRAINT "connections_dead_check"
  CHECK (("health" = 'dead') = ("token_dead_at" IS NOT NULL));
ALTER TABLE "connections" ADD CONSTRAINT "connections_label_check" CHECK (length("label") BETWEEN 1 AND 120);
-- What is being cleaned up is out of use, and only that can have shared calls to make.
ALTER TABLE "connections" ADD CONSTRAINT "connections_cleanup_check"
  CHECK (("cleanup" <> 'running' OR NOT "is_active") AND ("cleanup" <> 'none' OR NOT "shared_due"));
-- One clean-up of a connection at a time.
CREATE UNIQUE INDEX "cleanup_items_open_key" ON "cleanup_items" ("connection_id") WHERE "state" IN ('queued', 'running');
CREATE INDEX "cleanup_items_due_idx" ON "cleanup_items" ("id") WHERE "state" IN ('queued', 'running', 'failed');
