export const SAMPLE_REQUEST = `POST /webhooks HTTP/1.1
content-type: application/json
webhook-id: msg_01KB3M5Q7R9T2V4W6X8Y0Z1A3C
webhook-timestamp: 1795167000
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{
  "type": "site.created",
  "timestamp": "2026-11-20T09:30:00.000000Z",
  "data": {
    "id": 7,
    "domain": "example.com",
    "user_id": 3,
    "created_at": "2026-11-20T09:30:00.000000Z"
  }
}`;

export const VERIFICATION_EXAMPLES = [
  {
    language: "Node",
    file: "server.js · npm install express standardwebhooks",
    code: `import express from "express";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const app = express();

app.post("/webhooks", express.raw({ type: "application/json" }), (req, res) => {
  let event;
  try {
    event = webhook.verify(req.body, req.headers);
  } catch {
    return res.sendStatus(400);
  }
  res.sendStatus(204);
  console.log(event.type, event.data);
});

app.listen(8443);`,
  },
  {
    language: "PHP",
    file: "webhooks.php",
    code: `<?php
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));

$valid = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
    $valid = hash_equals($expected, $signature) || $valid;
}
if (!$valid || abs(time() - (int) $time) > 300) {
    http_response_code(400);
    exit;
}
http_response_code(204);
$event = json_decode($body, true);
error_log($event['type']);`,
  },
  {
    language: "Python",
    file: "app.py · pip install flask standardwebhooks",
    code: `import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/webhooks")
def receive():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    app.logger.info(event["type"])
    return "", 204`,
  },
] as const;
