#!/usr/bin/env python3
"""What Jinja itself, set up as Hugging Face's transformers set it up, makes of chat templates.

    make_jinja_cases.py > tests/data/tokenizer/jinja.json      templates of our own, below
    make_jinja_cases.py --files FILE.. --text TEXT             the given templates, as a list of texts or nulls

Needs Debian's python3-jinja2. The special tokens are <s> and </s>, the day is 26 July 2024."""
import argparse
import datetime
import json
import sys

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(Extension):
    """{% generation %} marks what an answer is trained on; it writes nothing."""
    tags = {"generation"}

    def parse(self, parser):
        next(parser.stream)
        return parser.parse_statements(["name:endgeneration"], drop_needle=True)


def render(source, text):
    def refuse(message):
        raise jinja2.exceptions.TemplateError(message)
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True,
                                                extensions=[loopcontrols, Generation])
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    environment.globals["raise_exception"] = refuse
    # The program says of a clock that there is none, so that templates with a fixed date take it.
    if "strftime_now is defined" not in source:
        environment.globals["strftime_now"] = datetime.datetime(2024, 7, 26).strftime
    try:
        return environment.from_string(source).render(
            messages=[{"role": "user", "content": text}], tools=None, documents=None,
            add_generation_prompt=True, bos_token="<s>", eos_token="</s>")
    except Exception:
        return None


# Chat templates in the shape that models of each family come with.
LOOP = "{% for message in messages %}", "{% endfor %}"
FAMILIES = {
    "ChatML": LOOP[0] + "{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}"
              + LOOP[1] + "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "ChatML with a system message for none":
        LOOP[0] + "{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\n"
        "You are helpful<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
        "'<|im_end|>' + '\n'}}" + LOOP[1] + "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
    "ChatML with tools and a switch for thinking": """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
{%- else %}
    {%- if messages[0].role == 'system' %}
        {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endif %}
{%- set ns = namespace(multi_step=true, last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step and message.role == "user" and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
        {%- set ns.multi_step = false %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- if '</think>' in message.content %}
            {%- set content = message.content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}""",
    "ChatML with a reasoning mode": """{%- if enable_thinking is not defined -%}
{%- set enable_thinking = true -%}
{%- endif -%}
{%- set mode = "/think" if enable_thinking else "/no_think" -%}
{{- "<|im_start|>system\\n" -}}
{%- set today = strftime_now("%d %B %Y") -%}
{{- "Today Date: " ~ today ~ "\\n" -}}
{{- "Reasoning Mode: " + mode + "\\n\\n" -}}
{{- "<|im_end|>\\n" -}}
{%- for message in messages -%}
    {%- set content = message.content if message.content is string else "" -%}
    {%- if message.role == "user" -%}
        {{ "<|im_start|>" + message.role + "\\n" + content + "<|im_end|>\\n" }}
    {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ "<|im_start|>assistant\\n" }}{%- endif -%}""",
    "Llama 3": "{% set loop_messages = messages %}{% for message in loop_messages %}{% set content = "
               "'<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + "
               "'<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}"
               "{{ content }}{% endfor %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}",
    "Llama 3 with a date": """{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{#- Takes the system message out, so that it can be put where it belongs. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{{- "Today Date: " + date_string + "\\n\\n" }}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
""",
    "Llama 2": "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = "
               "messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}"
               "{% endif %}{% for message in loop_messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == "
               "0) %}{{ raise_exception('Roles must alternate') }}{% endif %}{% if loop.index0 == 0 and system_message "
               "!= false %}{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}"
               "{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}"
               "{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
               "{{ ' '  + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}",
    "Mistral 0.1": "{{ bos_token }}" + LOOP[0] + "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + "
                   "' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token + ' ' }}"
                   "{% else %}{{ raise_exception('Only user and assistant') }}{% endif %}" + LOOP[1],
    "Mistral 0.3": """{%- set user_messages = messages | selectattr("role", "equalto", "user") | list %}
{%- set ns = namespace() %}
{%- set ns.index = 0 %}
{%- for message in messages %}
    {%- if (message["role"] == "user") != (ns.index % 2 == 0) %}
        {{- raise_exception("Roles must alternate") }}
    {%- endif %}
    {%- set ns.index = ns.index + 1 %}
{%- endfor %}
{{- bos_token }}
{%- for message in messages %}
    {%- if tools is not none and (message == user_messages[-1]) %}{{- "[AVAILABLE_TOOLS]" }}{%- endif %}
    {%- if loop.last and system_message is defined %}
        {{- "[INST] " + system_message + "\\n\\n" + message["content"] + "[/INST]" }}
    {%- else %}
        {{- "[INST] " + message["content"] + "[/INST]" }}
    {%- endif %}
{%- endfor %}""",
    "Gemma": "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('No system role') }}{% endif %}"
             + LOOP[0] + "{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = "
             "message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + "
             "'<end_of_turn>\n' }}" + LOOP[1] + "{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}",
    "Phi-3": LOOP[0] + "{% if message['role'] == 'user' %}{{'<|user|>\n' + message['content'] + '<|end|>\n'}}"
             "{% elif message['role'] == 'assistant' %}{{'<|assistant|>\n' + message['content'] + '<|end|>\n'}}{% endif %}"
             + LOOP[1] + "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}",
    "Zephyr": "{% for message in messages %}\n{% if message['role'] == 'user' %}\n{{ '<|user|>\n' + message['content'] + "
              "eos_token }}\n{% elif message['role'] == 'assistant' %}\n{{ '<|assistant|>\n'  + message['content'] + "
              "eos_token }}\n{% endif %}\n{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}"
              "\n{% endfor %}",
    "OLMo 2": "{{ bos_token }}" + LOOP[0] + "{% if message['role'] == 'user' %}{{ '<|user|>\n' + message['content'] + "
              "'\n' }}{% elif message['role'] == 'assistant' %}{{ '<|assistant|>\n'  + message['content'] + eos_token + "
              "'\n' }}{% endif %}{% if loop.last and add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}" + LOOP[1],
}
# What templates are made of, one thing at a time; m is the user's text.
PARTS = """{{ 1 + 2 * 3 }}|{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 - 10 }}
{{ 'a' ~ 1 ~ none ~ true }}|{{ "q\\"'\\\\ \\t\\u00e9\\x41" }}|{{ 'a' 'b' }}
{{ [1, 'x', none, true, {'k': [2]}] | tojson }}|{{ ('é\\n"' | tojson) }}
{% set x = 3 %}{{ x if x > 2 else 'no' }}|{{ 'y' if false }}|{{ 1 < 2 and not 2 >= 3 or false }}
{% set l = [1, 2, 3, 4, 5] %}{{ l[1:] | join(',') }}|{{ l[:-2] | join(',') }}|{{ l[::-1] | join }}|{{ l[::2] | join }}|{{ l[-1] }}|{{ l[9] }}|{{ l[3:0:-2] | join }}
{{ m[0] }}{{ m[1:3] }}|{{ m | length }}|{{ m | trim | upper }}|{{ m.strip().lower() }}|{{ m.split() | join('-') }}
{{ 'a,b,,c'.split(',') | tojson }}|{{ 'a b  c'.split(' ', 1) | tojson }}|{{ ' x y '.split() | tojson }}
{{ 'xxabxx'.strip('x') }}|{{ 'xxab'.lstrip('x') }}|{{ 'abxx'.rstrip('x') }}|{{ 'abc'.startswith('ab') }}|{{ 'abc'.endswith('ab') }}
{{ 'aXbX'.replace('X', '-') }}|{{ 'aXbX' | replace('X', '-') }}|{{ 'aXbX'.replace('X', '-', 1) }}|{{ 'hELLO' | capitalize }}
{{ undefined_name }}|{{ undefined_name | default('d') }}|{{ '' | default('d', true) }}|{{ none | d('x') }}|{{ undefined_name is defined }}
{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }}{% if not loop.last %},{% endif %}{% endfor %}
{% for x in [1, 2, 3] if x != 2 %}{{ loop.index }}/{{ loop.length }}:{{ x }} {% else %}none{% endfor %}{% for x in [] %}{% else %}none{% endfor %}
{% for x in [1, 2, 3, 4] %}{% if x == 2 %}{% continue %}{% endif %}{% if x == 4 %}{% break %}{% endif %}{{ x }}{{ loop.first }}{{ loop.revindex0 }}{% endfor %}
{% for x in [1, 2] %}{{ loop.previtem }}{{ loop.nextitem }}{% set y = x %}{% endfor %}{{ y is defined }}
{% set ns = namespace(n=0) %}{% for x in [1, 2, 3] %}{% set ns.n = ns.n + x %}{% endfor %}{{ ns.n }}
{% macro f(a, b='B') %}[{{ a }}{{ b }}]{% endmacro %}{{ f('x') }}{{ f('x', 'y') }}{{ f(b='1', a='2') }}
{% macro count(n) %}{{ n }}{% if n > 0 %}{{ count(n - 1) }}{% endif %}{% endmacro %}{{ count(3) }}
{% set b %}  a {{ m }} b  {% endset %}<{{ b | trim }}>
{{ [{'r': 'u', 'c': 1}, {'r': 'a', 'c': 2}] | selectattr('r', 'equalto', 'u') | map(attribute='c') | list | tojson }}
{{ [1, none, 2] | select | list | tojson }}|{{ [{'a': 1}, {'b': 2}] | rejectattr('a', 'defined') | list | length }}
{{ ['x', 'y'] | map('upper') | join }}|{{ [3, 1] | first }}{{ [3, 1] | last }}|{{ [1, 2] | reverse | list | tojson }}
{{ {'b': 1, 'a': 2} | dictsort | tojson }}|{{ {'b': 1}.get('c', 'n') }}|{{ {'b': 1}.get('c') }}|{{ {'b': 1}['b'] }}|{{ {'b': 1}.b }}
{{ 'b' in 'abc' }} {{ 2 in [1, 2] }} {{ 'k' in {'k': 1} }} {{ 'z' not in 'abc' }} {{ 1 == true }} {{ '1' == 1 }} {{ [1] + [2] == [1, 2] }}
{{ m is string }} {{ 1 is number }} {{ [] is iterable }} {{ {} is mapping }} {{ none is none }} {{ 3 is odd }} {{ true is true }} {{ 1 is true }} {{ m is not none }} {{ 'a' is in ['a'] }}
{{ range(3) | list | tojson }}|{{ range(1, 4) | list | tojson }}|{{ range(5, 0, -2) | list | tojson }}|{{ '12' | int + 1 }}|{{ 5 | string ~ 'x' }}
a  {%- if true %}  b  {%- endif %}  c{# note #}d {#- note -#} e
   {% if true %}
line
   {% endif %}
   {{ 'x' }}
  end  {%+ if true %} kept {%+ endif +%}
{{ '{{ not a tag }}' }}{{ "%}" }}{ { } }{{ {'a': {'b': 1}}['a']['b'] }}
{{ strftime_now('%d %b %Y, %B %m %y') }}
{{ undefined_name.x }}
{{ 'a' + 1 }}
{{ 'a' + none }}
{% for x in 5 %}{% endfor %}
{{ raise_exception('no') }}
{{ m | no_such_filter }}
{% if x %}no end
{{ 'no end }}
{% generation %}{{ m }}{% endgeneration %}|{{ (1, 2) | tojson }}|{{ m | safe }}|{{ [m] | tojson }}"""
TEXTS = [" Hi é\n", "", "<|im_end|> </think> x"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", nargs="*")
    parser.add_argument("--text", default="")
    options = parser.parse_args()
    if options.files is not None:
        sources = [open(name, encoding="utf-8", newline="").read() for name in options.files]
        json.dump([render(source, options.text) for source in sources], sys.stdout)
        return
    cases = [[name, source] for name, source in FAMILIES.items()]
    parts, multi = [], None
    for line in PARTS.split("\n"):
        if line.startswith("   {% if true"):  # the one of several lines
            multi = []
        if multi is not None:
            multi.append(line)
            if line.startswith("  end"):
                parts.append("\n".join(multi))
                multi = None
        else:
            parts.append(line)
    cases += [["part %d" % i, "{% set m = messages[0].content %}" + part] for i, part in enumerate(parts)]
    print('{"version": "jinja2 %s", "texts": %s, "cases": [' % (jinja2.__version__, json.dumps(TEXTS)))
    print(",\n".join(json.dumps([name, source, [render(source, text) for text in TEXTS]]) for name, source in cases))
    print("]}")


main()
