-- CreateTable
CREATE TABLE "sms_messages" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "to_number" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "state" "MailState" NOT NULL DEFAULT 'queued',
    "sealed" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "remote_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "sms_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sms_messages_user_id_idx" ON "sms_messages"("user_id");

-- AddForeignKey
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
