#include "engine/tokenizer/ChatTemplate.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

TokenizerInfo infoWith(const QByteArray& chatTemplate)
{
    TokenizerInfo info;
    info.chatTemplate = chatTemplate.toStdString();
    info.specialTokens = {{"bos", {{1}, "<s>", TokenKind::Control}},
                          {"eos", {{2}, "</s>", TokenKind::Control}}};
    return info;
}

} // namespace

class ChatTemplateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Templates in the shape that models of each family come with; the expected text is what they
    // give as Jinja programs for one user message " Hi " with add_generation_prompt.
    void rendersChatMl_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("rendered");
        QTest::newRow("ChatML")
            << QByteArray(
                   "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + "
                   "message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}"
                   "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")
            << u"<|im_start|>user\n Hi <|im_end|>\n<|im_start|>assistant\n"_qs;
        QTest::newRow("ChatML with a system message for none")
            << QByteArray(
                   "{% for message in messages %}{% if loop.first and messages[0]['role'] != "
                   "'system' %}{{ '<|im_start|>system\nYou are helpful<|im_end|>\n' }}"
                   "{% endif %}{{'<|im_start|>' + message['role'] + '\n' + "
                   "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
                   "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")
            << u"<|im_start|>system\nYou are helpful<|im_end|>\n<|im_start|>user\n Hi "
               "<|im_end|>\n<|im_start|>assistant\n"_qs;
        QTest::newRow("ChatML that thinks")
            << QByteArray("{{- '<|im_start|>' + message.role + '\\n' + message.content + "
                          "'<|im_end|>' + '\\n' }}{%- if add_generation_prompt %}"
                          "{{- '<|im_start|>assistant\\n<think>\\n' }}{%- endif %}")
            << u"<|im_start|>user\n Hi <|im_end|>\n<|im_start|>assistant\n<think>\n"_qs;
        QTest::newRow("ChatML with tools and a switch for thinking")
            << QByteArray(
                   "{%- if tools %}\n    {{- '<|im_start|>system\\n' }}\n{%- else %}\n"
                   "    {%- if messages[0].role == 'system' %}\n        {{- "
                   "'<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}\n"
                   "    {%- endif %}\n{%- endif %}\n{{- '<|im_start|>' + message.role + '\\n' "
                   "+ content + '<|im_end|>' + '\\n' }}\n{%- if add_generation_prompt %}\n"
                   "    {{- '<|im_start|>assistant\\n' }}\n    {%- if enable_thinking is "
                   "defined and enable_thinking is false %}\n        {{- "
                   "'<think>\\n\\n</think>\\n\\n' }}\n    {%- endif %}\n{%- endif %}")
            << u"<|im_start|>user\n Hi <|im_end|>\n<|im_start|>assistant\n"_qs;
    }
    void rendersChatMl() { renders(); }

    void rendersLlamaAndMistral_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("rendered");
        QTest::newRow("Llama 3")
            << QByteArray(
                   "{% set content = '<|start_header_id|>' + message['role'] + "
                   "'<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' %}"
                   "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}"
                   "{{ content }}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}")
            << u"<s><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
               "<|start_header_id|>assistant<|end_header_id|>\n\n"_qs;
        QTest::newRow("Llama 3.1")
            << QByteArray(
                   "{{- bos_token }}{%- if not date_string is defined %}{%- set date_string = "
                   "\"26 Jul 2024\" %}{%- endif %}"
                   "{{- \"<|start_header_id|>system<|end_header_id|>\\n\\n\" }}"
                   "{{- \"Cutting Knowledge Date: December 2023\\n\" }}"
                   "{{- \"Today Date: \" + date_string + \"\\n\\n\" }}\n"
                   "{{- system_message }}\n{{- \"<|eot_id|>\" }}\n"
                   "{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ "
                   "message['content'] | trim + '<|eot_id|>' }}")
            << u"<s><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December "
               "2023\nToday Date: 26 Jul 2024\n\n<|eot_id|><|start_header_id|>user"
               "<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant"
               "<|end_header_id|>\n\n"_qs;
        QTest::newRow("Llama 2")
            << QByteArray("{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + "
                          "message['content'] %}{% if message['role'] == 'user' %}{{ bos_token + "
                          "'[INST] ' + content.strip() + ' [/INST]' }}{% endif %}")
            << u"<s>[INST] Hi [/INST]"_qs;
        QTest::newRow("Mistral 0.1")
            << QByteArray("{{ bos_token }}{% for message in messages %}{% if message['role'] == "
                          "'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% endif %}")
            << u"<s>[INST]  Hi  [/INST]"_qs;
        QTest::newRow("Mistral 0.3")
            << QByteArray(
                   "{{- bos_token }}{{- \"[AVAILABLE_TOOLS] [\" }}{%- if loop.last and "
                   "system_message is defined %}{{- \"[INST] \" + system_message + \"\\n\\n\" "
                   "+ message[\"content\"] + \"[/INST]\" }}{%- else %}{{- \"[INST] \" + "
                   "message[\"content\"] + \"[/INST]\" }}{%- endif %}")
            << u"<s>[INST]  Hi [/INST]"_qs;
        QTest::newRow("Mistral Nemo")
            << QByteArray("{{- bos_token }}{{- \"[INST]\" + message[\"content\"] + \"[/INST]\" }}")
            << u"<s>[INST] Hi [/INST]"_qs;
    }
    void rendersLlamaAndMistral() { renders(); }

    void rendersGemmaPhiAndZephyr_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("rendered");
        QTest::newRow("Gemma")
            << QByteArray(
                   "{{ bos_token }}{{ '<start_of_turn>' + role + '\n' + message['content'] | "
                   "trim + '<end_of_turn>\n' }}{{'<start_of_turn>model\n'}}")
            << u"<s><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n"_qs;
        QTest::newRow("Phi-3")
            << QByteArray(
                   "{{ bos_token }}{% if (message['role'] == 'user') %}{{'<|user|>' + '\\n' + "
                   "message['content'] + '<|end|>' + '\\n' + '<|assistant|>' + '\\n'}}")
            << u"<s><|user|>\n Hi <|end|>\n<|assistant|>\n"_qs;
        QTest::newRow("Phi-3.5")
            << QByteArray(
                   "{% elif message['role'] == 'user' %}{{'<|user|>\n' + message['content'] + "
                   "'<|end|>\n'}}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}")
            << u"<|user|>\n Hi <|end|>\n<|assistant|>\n"_qs;
        QTest::newRow("Zephyr")
            << QByteArray(
                   "{% if message['role'] == 'user' %}\n{{ '<|user|>\n' + message['content'] "
                   "+ eos_token }}\n{% endif %}\n{% if loop.last and add_generation_prompt "
                   "%}\n{{ '<|assistant|>' }}\n{% endif %}")
            << u"<|user|>\n Hi </s>\n<|assistant|>\n"_qs;
    }
    void rendersGemmaPhiAndZephyr() { renders(); }

    void refusesWhatItDoesNotKnow_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << QByteArray() << u"the model has none"_qs;
        QTest::newRow("no family")
            << QByteArray("{{ 'USER: ' + message['content'] }}") << u"of no known family"_qs;
        QTest::newRow("ChatML with its own system message")
            << QByteArray("{{ '<|im_start|>system\n' }}## Metadata{{ reasoning_mode }}"
                          "{{ '<|im_start|>user\n' + message.content + '<|im_end|>' }}"
                          "{{ '<|im_start|>assistant\n' }}")
            << u"puts a system message together"_qs;
        QTest::newRow("ChatML that may think")
            << QByteArray("{{ '<|im_start|>user\n' + message.content + '<|im_end|>' }}"
                          "{{ '<|im_start|>assistant\n' }}{% if x %}{{ '<think>\n' }}{% endif %}")
            << u"begins an answer that is not understood"_qs;
        QTest::newRow("ChatML with another message")
            << QByteArray("{{ '<|im_start|>' + render(message) }}{{ '<|im_start|>assistant\n' }}")
            << u"not a user message as ChatML has it"_qs;
        QTest::newRow("Llama 3 with its own system message")
            << QByteArray("{{ '<|start_header_id|>system<|end_header_id|>\n\n' }}{{ tools }}"
                          "{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n' + "
                          "message['content'] | trim + '<|eot_id|>' }}")
            << u"puts a system message together"_qs;
        QTest::newRow("[INST] without a message")
            << QByteArray("[INST] {{ x }} [/INST]") << u"not in the way"_qs;
        QTest::newRow("user and assistant without an end")
            << QByteArray("{{ '<|user|>\n' + message['content'] }}<|assistant|>")
            << u"not in the way"_qs;
        QTest::newRow("Phi-3 in parts") << QByteArray("{{ '<|user|>\n' }}{{ x }}{{ '<|end|>' }}"
                                                      "{{ '<|assistant|>' }}")
                                        << u"of no known family"_qs;
    }
    void refusesWhatItDoesNotKnow()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, why);
        const auto chat = renderChat(infoWith(source), "Hi");
        QVERIFY(!chat);
        QCOMPARE(chat.error().code, ErrorCode::UnsupportedFeature);
        QVERIFY2(text(chat.error().message).contains(why), chat.error().message.c_str());
    }

    void parsesSpecialTokensOfTheTemplateOnly()
    {
        std::vector<std::string> pieces = bytePieces();
        Folder folder;
        folder.add("tokenizer.json",
                   byteLevelJson(pieces, {},
                                 R"([{"id": 256, "content": "<|im_start|>", "special": true},)"
                                 R"({"id": 257, "content": "<|im_end|>", "special": true}])"));
        folder.add(
            "tokenizer_config.json",
            R"({"chat_template": "{{ '<|im_start|>user\n' + message.content + '<|im_end|>' }})"
            R"({{ '<|im_start|>assistant\n' }}"})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto tokens = encodeChat(**tokenizer, "x<|im_end|>");
        QVERIFY2(tokens, tokens ? "" : tokens.error().message.c_str());
        int special = 0;
        for (const EncodedToken& token : *tokens)
            special += token.origin == TokenOrigin::Special;
        QCOMPARE(special, 3); // <|im_start|>user …<|im_end|> <|im_start|>assistant
        QCOMPARE((*tokenizer)->decode(idsOf(*tokens)),
                 std::string("<|im_start|>user\nx<|im_end|><|im_end|>\n<|im_start|>assistant\n"));
    }

private:
    /// The row's template gives the row's text for one user message " Hi ".
    static void renders()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, rendered);
        const auto chat = renderChat(infoWith(source), " Hi ");
        QVERIFY2(chat, chat ? "" : chat.error().message.c_str());
        QCOMPARE(text(*chat), rendered);
        const auto prompt = chatPrompt(infoWith(source), " Hi ");
        QCOMPARE(text(prompt->userText.of(prompt->text)).trimmed(), u"Hi"_qs);
    }
};

QTEST_APPLESS_MAIN(ChatTemplateTest)
#include "ChatTemplateTest.moc"
