#include "ui/window/settings_popup.h"

#include "ui/base/language.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/appearance_menu.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <cmath>

namespace triaxis::ui
{

SettingsPopup::SettingsPopup(ThemeController& theme, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_theme(theme), m_choice(new QComboBox), m_scale(new QComboBox),
      m_language(new QComboBox), m_later(new QLabel(tr("From the next start on")))
{
    setObjectName(QStringLiteral("settings"));
    setAccessibleName(tr("Settings"));
    m_choice->setObjectName(QStringLiteral("themeChoice"));
    m_choice->addItems({tr("as the system"), tr("light"), tr("dark"), tr("high contrast")});
    m_scale->setObjectName(QStringLiteral("textScale"));
    for (const double scale : textScales)
        m_scale->addItem(textScaleName(scale), scale);
    auto* title = new QLabel(tr("Appearance"));
    title->setProperty("role", "title");
    auto* themeLabel = new QLabel(tr("Theme"));
    themeLabel->setProperty("role", "muted");
    themeLabel->setBuddy(m_choice);
    auto* scaleLabel = new QLabel(tr("Text size"));
    scaleLabel->setProperty("role", "muted");
    scaleLabel->setBuddy(m_scale);
    m_choice->setAccessibleName(themeLabel->text());
    m_scale->setAccessibleName(scaleLabel->text());
    m_language->setObjectName(QStringLiteral("languageChoice"));
    // A language is named in itself: whoever looks for it may read no other.
    m_language->addItems(
        {tr("as the system"), QStringLiteral("English"), QStringLiteral("Русский")});
    auto* languageLabel = new QLabel(tr("Language"));
    languageLabel->setProperty("role", "muted");
    languageLabel->setBuddy(m_language);
    m_language->setAccessibleName(languageLabel->text());
    m_later->setObjectName(QStringLiteral("languageLater"));
    m_later->setProperty("role", "small");
    auto* keys = new QPushButton(tr("Keyboard…"));
    keys->setObjectName(QStringLiteral("showKeys"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(16, 14, 16, 14);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(10);
    grid->addWidget(title, 0, 0, 1, 2);
    grid->addWidget(themeLabel, 1, 0);
    grid->addWidget(m_choice, 1, 1);
    grid->addWidget(scaleLabel, 2, 0);
    grid->addWidget(m_scale, 2, 1);
    grid->addWidget(languageLabel, 3, 0);
    grid->addWidget(m_language, 3, 1);
    grid->addWidget(m_later, 4, 1);
    grid->addWidget(keys, 5, 0, 1, 2);
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        m_theme.setChoice(ThemeChoice(index));
        m_theme.save();
    });
    connect(m_scale, &QComboBox::activated, this, [this](int index) {
        m_theme.setTextScale(m_scale->itemData(index).toDouble());
        m_theme.save();
    });
    connect(m_language, &QComboBox::activated, this, [this](int index) {
        storeLanguage(LanguageChoice(index));
        showLanguage();
    });
    connect(keys, &QPushButton::clicked, this, [this] {
        hide();
        emit keysRequested();
    });
}

/// Says when a choice waits for the next start.
void SettingsPopup::showLanguage()
{
    const LanguageChoice choice = storedLanguage();
    m_language->setCurrentIndex(int(choice));
    m_later->setVisible(languageOf(choice) != windowLanguage());
    adjustSize();
}

void SettingsPopup::popUp(const QPoint& bottomLeft)
{
    m_choice->setCurrentIndex(int(m_theme.choice()));
    int nearest = 0;
    for (int i = 0; i < m_scale->count(); ++i) {
        if (std::abs(m_scale->itemData(i).toDouble() - m_theme.textScale()) <
            std::abs(m_scale->itemData(nearest).toDouble() - m_theme.textScale()))
            nearest = i;
    }
    m_scale->setCurrentIndex(nearest);
    showLanguage();
    move(bottomLeft - QPoint(0, height()));
    show();
    m_choice->setFocus();
}

void SettingsPopup::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.line);
    painter.fillRect(rect().adjusted(1, 1, -1, -1), theme.panel);
}

} // namespace triaxis::ui
